import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { walk } from './source-files.ts'

const root = resolve(import.meta.dirname, '..')
const paths = new Set(walk(root).map(({ path }) => path))
const pages = [...paths].filter((path) => path.endsWith('.md'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const fence = /^```(\w*)\n(.*?)^```$/gms

describe('files', () => {
  it.each(['SECURITY.md', 'ARCHITECTURE.md'])('that %s names are there', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)].map(([, path]) => path)
    const missing = named.filter(
      (path) => !paths.has(`packages/core/src/${path}`) && !paths.has(`${path}`),
    )
    expect(missing).toEqual([])
  })
})

describe('links', () => {
  const anchorsOf = (path: string) =>
    (
      read(path)
        .replace(fence, '')
        .match(/^#+ .*$/gm) ?? []
    ).map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )

  it.each(pages)('of %s lead somewhere', (page) => {
    const links = [
      ...read(page)
        .replace(fence, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ]
    const broken = links
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file, anchor] = target.split('#')
        const path = file ? posix.join(posix.dirname(page), file).replace(/\/$/, '') : page
        return !paths.has(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor))
      })
    expect(broken).toEqual([])
  })
})

describe('examples', () => {
  // Ignored by git, and inside the repository so that its packages are found.
  const folder = join(root, '.svc', 'examples')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Every fence that begins with `// file: name.ts`; those of one page are files of one folder. */
  function examples() {
    return pages.flatMap((page) =>
      [...read(page).matchAll(fence)].flatMap(([, , text = '']) => {
        const [, name] = /^\/\/ file: (\S+)\n/.exec(text) ?? []
        return name ? [{ path: join(page.replace(/\.md$/, ''), name), text }] : []
      }),
    )
  }

  it('type-check as they are written', { timeout: 60_000 }, async () => {
    const written = examples()
    expect(new Set(written.map(({ path }) => path)).size).toBe(written.length)
    for (const { path, text } of written) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { declaration: false, jsx: 'react-jsx' },
      include: ['**/*.ts', '**/*.tsx'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))

    const { output } = await runCommand(['tsc', '-p', join(folder, 'tsconfig.json')])
    expect(output).toBe('')
  })
})
