import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { temporaryTree } from '../temporary-tree.ts'
import { findWords } from './find-words.ts'

function wordsIn(files: Record<string, string>) {
  const { found } = findWords(temporaryTree(files))
  return found.map(({ path, line, place, word }) => `${path}:${line}: ${place}: ${word}`)
}

describe('findWords', () => {
  it('finds a word in prose, and none in code, links and comments of a document', () => {
    const page = [
      'Whoever reads this',
      '',
      '```ts',
      'const nobody = 1',
      '```',
      '',
      'The user `nobody` has [no shell](nobody.md).',
      '<!-- anew -->',
      'Sign in anew.',
    ].join('\n')
    expect(wordsIn({ 'docs/page.md': page })).toEqual([
      'docs/page.md:1: documents: Whoever',
      'docs/page.md:9: documents: anew',
    ])
  })

  it('finds it in what is shown: messages, templates and the text of pages', () => {
    const source = [
      `const message = 'Somebody else signed in.'`,
      'const told = (name: string) => `\u0024{name} has told it to everybody.`',
      'export const page = <p>Nobody is here.</p>',
    ].join('\n')
    expect(wordsIn({ 'packages/web/src/page.tsx': source })).toEqual([
      'packages/web/src/page.tsx:1: messages: Somebody',
      'packages/web/src/page.tsx:2: messages: everybody',
      'packages/web/src/page.tsx:3: messages: Nobody',
    ])
  })

  it('finds it in comments, on the line where it stands', () => {
    const source = '/**\n * Read by whoever asks.\n */\n// Made anew.\nexport const a = 1'
    expect(wordsIn({ 'scripts/a.ts': source })).toEqual([
      'scripts/a.ts:2: comments: whoever',
      'scripts/a.ts:4: comments: anew',
    ])
  })

  it('looks at no test, no name of one or two words, and no text that is fixed', () => {
    const files = {
      'packages/core/src/a.test.ts': '// nobody',
      'packages/core/src/a.ts': `const user = 'nobody'`,
      'docs/specification/01.md': 'Whoever has the key',
      'CHANGELOG.md': 'Whoever upgrades',
    }
    expect(wordsIn(files)).toEqual([])
  })
})

describe('npm run check', () => {
  const check = (files: Record<string, string>) =>
    runCommand([
      process.execPath,
      resolve(import.meta.dirname, '../check-words.ts'),
      temporaryTree(files),
    ])
  const page = 'Words that say it plainly. '.repeat(1000)

  it('fails where a word stands more than once in 10,000, and names each place', async () => {
    const { passed, output } = await check({ 'docs/page.md': `Whoever, whatever\n${page}` })
    expect(passed).toBe(false)
    expect(output).toContain('2 in documents, where at most 1 may be')
    expect(output).toContain('docs/page.md:1: "whatever"')
  })

  it('passes where it stands once', async () => {
    const { passed } = await check({ 'docs/page.md': `Whoever\n${page}` })
    expect(passed).toBe(true)
  })
})
