import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { walk } from '../../packages/cli/src/run/source-files.ts'
import { examplesOf } from './fences.ts'
import { application, layApplication } from './tutorial.ts'

const root = resolve(import.meta.dirname, '..', '..')
// Ignored by git, and inside the repository so that its packages are found.
const folder = join(root, '.svc', 'examples')
const tutorial = join(folder, 'docs', 'tutorial')

const pages = walk(root).filter(({ path }) => path.endsWith('.md'))
const examples = pages.flatMap(({ path }) =>
  examplesOf(readFileSync(join(root, path), 'utf8')).map((each) => ({ page: path, ...each })),
)
/** The files of one page are those of one folder. */
const files = examples.flatMap(({ page, name, text }) =>
  name ? [{ path: join(page.replace(/\.md$/, ''), name), text }] : [],
)

rmSync(folder, { recursive: true, force: true })
layApplication(tutorial)
for (const { path, text } of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const svc = join(root, 'packages', 'cli', 'bin', 'svc.js')
const generate = ['node', '--conditions=svc-source', svc, 'generate', '--name', 'ideas'] as const
const generated = await runCommand([...generate], { cwd: tutorial })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('examples', () => {
  it('are whole files, or say why they are a fragment', () => {
    const fragments = examples.filter(({ name }) => name === null)
    expect(fragments.filter(({ info }) => !/^ fragment: \S+ /.test(info))).toEqual([])
    // So that a fragment stays the exception.
    expect(fragments.length).toBeLessThan(files.length / 15)
  })

  // A program has one schema that `c.db.query` knows, and the others import the starter's.
  it.each([
    ['those of the tutorial', { include: ['docs/tutorial'] }],
    ['the others', { include: ['**/*.ts', '**/*.tsx'], exclude: ['docs/tutorial'] }],
  ])('type-check as they are written: %s', { timeout: 180_000 }, async (name, chosen) => {
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { declaration: false, jsx: 'react-jsx' },
      ...chosen,
    }
    const path = join(folder, `tsconfig.${name.replaceAll(' ', '-')}.json`)
    writeFileSync(path, JSON.stringify(config))

    // With one checker it does the least work: other files of tests keep the cores busy.
    const { output } = await runCommand(['tsc', '-p', path, '--checkers', '1'])
    expect(output).toBe('')
  })
})

describe('the tutorial', () => {
  it('generates what it says', () => {
    const said = /^wrote .*$/gm
    const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8')
    expect(generated.output.match(said)?.toSorted()).toEqual(page.match(said)?.toSorted())
  })

  const written = examples.flatMap(({ page, name, text }) =>
    page === 'docs/tutorial.md' && name !== null ? [{ name, text }] : [],
  )
  it.each(written.filter(({ name }) => name in application))(
    'adds to the $name of a new app, and takes nothing out of it',
    ({ name, text }) => {
      expect(lost(wordsOf(application[name] ?? ''), wordsOf(text))).toEqual([])
    },
  )
})

/** Commas come and go with lines. */
const wordsOf = (text: string) => text.match(/[^\s,()[\]{}]+|[()[\]{}]/g) ?? []

/** The words that are not there any more, in their order. */
function lost(before: readonly string[], after: readonly string[]) {
  let at = 0
  return before.filter((word) => {
    const found = after.indexOf(word, at)
    if (found === -1) return true
    at = found + 1
    return false
  })
}

// A test of the app on the tutorial's server, and the tutorial's own. This one is last, because a link is mailed by the
// server of this process that started last.
await import(join(tutorial, 'api', 'mcp', 'mcp.test.ts'))
await import(join(tutorial, 'api', 'ideas.test.ts'))
