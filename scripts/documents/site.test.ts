import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sitePath } from '../../docs/.vitepress/site-path.ts'
import { walk } from '../../packages/cli/src/run/source-files.ts'
import { launchBrowser } from '../browser/launch-browser.ts'
import { orFew } from '../test/or-few.ts'
import { buildSite, faultsOf, looks, openLook, serveSite } from './built-site.ts'
import { contrast } from './contrast.ts'

const root = resolve(import.meta.dirname, '..', '..')
const site = await buildSite()
const { passed, output, files, html, read } = site
afterAll(site.remove)

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
      expect(read(path)).not.toMatch(/url\(["']?https?:|@import/)
    }
  })
})

describe('code in pages', () => {
  const styles = readFileSync(join(root, 'docs/.vitepress/theme/style.css'), 'utf8')

  it.each([
    ['light', ':root'],
    ['dark', '.dark'],
  ])('has no colour that is too pale to read: %s (WCAG AA)', (mode, selector) => {
    const [, block = ''] = styles.split(`${selector} {`)
    const [, background = ''] = /--vp-code-block-bg: (oklch\([^)]+\))/.exec(block) ?? []
    const colours = new Set(
      [...html.values()].flatMap((text) =>
        [...text.matchAll(new RegExp(`--shiki-${mode}:(#[0-9A-Fa-f]{6})`, 'g'))].map(
          ([, colour = '']) => colour,
        ),
      ),
    )
    expect(colours.size).toBeGreaterThan(4)
    expect([...colours].filter((colour) => contrast(colour, background) < 4.5)).toEqual([])
  })
})

describe('what agents read', () => {
  it('lists pages that are there as Markdown, in llms.txt', () => {
    const listed = [...read('llms.txt').matchAll(/\]\((\/[^)#]+)/g)].map(([, path = '']) => path)
    expect(listed.length).toBeGreaterThan(70)
    expect(listed.filter((path) => !files.includes(posix.relative('/', path)))).toEqual([])
  })

  it('has the text of these pages in llms-full.txt, with no link that leads elsewhere', () => {
    const full = read('llms-full.txt')
    const listed = [...read('llms.txt').matchAll(/^- \[[^\]]+\]\(\/([^)#]+)/gm)]
    const missing = listed.filter(([, path = '']) => !full.includes(read(path).trim()))
    expect(missing).toEqual([])
    expect(full.match(/\]\(\.\.?\/.*/g)).toBeNull()
  })
})

describe('in a browser', async () => {
  const [served, chromium] = await Promise.all([serveSite(site), launchBrowser()])
  afterAll(async () => {
    await chromium.stop()
    served.stop()
  })

  // `npm run test:long` looks at every page, in four looks.
  const kinds = ['index', 'guide/routes', 'reference/error-codes']
  it.each(orFew([looks[0], looks[3]]))(
    'pages of each kind pass axe, and fit the screen: $scheme, $width px',
    async (look) => {
      const page = await openLook(chromium.browser, look)
      for (const kind of kinds) {
        expect(await faultsOf(page, `${served.url}/${kind}.html`), kind).toEqual([])
      }
    },
  )

  it.each(orFew(['device', 'live events', 'passkey']))(
    'the search shows how to do it before why it was decided: %s',
    async (words) => {
      const page = await openLook(chromium.browser, looks[0])
      await page.goto(`${served.url}/guide/routes.html`)
      await page.getByRole('button', { name: 'Search' }).first().click()
      await page.getByRole('searchbox').fill(words)
      const results = page.locator('.VPLocalSearchBox .results a')
      await results.first().waitFor()
      const found = await results.evaluateAll((links) =>
        links.map((link) => link.getAttribute('href') ?? ''),
      )
      expect(found[0]).toMatch(/^\/(guide|start|recipes|tutorial)/)
      const decision = found.findIndex((path) => /^\/(decisions|changelog)/.test(path))
      const guide = found.findLastIndex((path) => path.startsWith('/guide/'))
      if (decision !== -1) expect(decision).toBeGreaterThan(guide)
    },
  )
})

/** The file behind a path of the site. */
function placeOf(path: string) {
  const file = posix.relative('/', path)
  return file === '' || path.endsWith('/') ? posix.join(file, 'index.html') : file
}
