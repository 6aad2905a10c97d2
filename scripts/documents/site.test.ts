import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sitePath } from '../../docs/.vitepress/site-path.ts'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { walk } from '../../packages/cli/src/run/source-files.ts'

const root = resolve(import.meta.dirname, '..', '..')
const site = mkdtempSync(join(tmpdir(), 'svc-site-'))
afterAll(() => rmSync(site, { recursive: true, force: true }))

// It fails on a link to a page that is not there.
const build = ['vitepress', 'build', 'docs', '--no-minify', '--outDir', site] as const
const { passed, output } = await runCommand([...build], { cwd: root })

const files = passed ? walk(site).map(({ path }) => path) : []
const html = new Map(
  files
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(site, path), 'utf8')]),
)

describe('the site', () => {
  it('builds', () => {
    expect(passed, output).toBe(true)
  })

  it('has every page', () => {
    const pages = walk(root)
      .map(({ path }) => path)
      .filter(
        (path) => path.endsWith('.md') && !/^(bench|changes|packages\/cli\/template)\//.test(path),
      )
      .map((path) => sitePath(path).replace(/\.md$/, '.html'))
    expect([...html.keys()].toSorted()).toEqual([...pages, '404.html'].toSorted())
  })

  it('has every heading that a link leads to', () => {
    const broken = [...html].flatMap(([page, text]) =>
      [...text.matchAll(/<a[^>]* href="([^":]*)#([^"]+)"/g)]
        .map(([, path = '', anchor = '']) => ({ to: path === '' ? page : placeOf(path), anchor }))
        .filter(({ to, anchor }) => !html.get(to)?.includes(` id="${decodeURIComponent(anchor)}"`))
        .map(({ to, anchor }) => `${page}: ${to}#${anchor}`),
    )
    expect(broken).toEqual([])
  })

  it('loads nothing from elsewhere', () => {
    const loaded = [...html.values()].flatMap((text) =>
      [...text.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"/g)].map(([, url]) => url),
    )
    expect(loaded.filter((url) => !url?.startsWith('/') && !url?.startsWith('data:'))).toEqual([])
    const styles = files.filter((path) => path.endsWith('.css'))
    expect(styles).not.toEqual([])
    for (const path of styles) {
      expect(readFileSync(join(site, path), 'utf8')).not.toMatch(/url\(["']?https?:|@import/)
    }
  })
})

/** The file behind a path of the site. */
function placeOf(path: string) {
  const file = posix.relative('/', path)
  return file === '' || path.endsWith('/') ? posix.join(file, 'index.html') : file
}
