import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, posix, resolve } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { walk } from '../../packages/cli/src/run/source-files.ts'

const root = resolve(import.meta.dirname, '..', '..')

export type BuiltSite = Awaited<ReturnType<typeof buildSite>>

/** Builds the site into a folder of its own. It fails on a link to a page that is not there. */
export async function buildSite() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-site-'))
  const command = ['vitepress', 'build', 'docs', '--no-minify', '--outDir', folder] as const
  const { passed, output } = await runCommand([...command], { cwd: root })
  const files = passed ? walk(folder).map(({ path }) => path) : []
  const read = (path: string) =>
    files.includes(path) ? readFileSync(join(folder, path), 'utf8') : ''
  const pages = files.filter((path) => path.endsWith('.html'))
  return {
    folder,
    passed,
    output,
    files,
    read,
    html: new Map(pages.map((path) => [path, read(path)])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** Serves it as any web server would. */
export async function serveSite({ folder, files }: BuiltSite) {
  const server = createServer(({ url = '/' }, answer) => {
    const path = posix.relative('/', decodeURIComponent(new URL(url, 'http://localhost').pathname))
    const file = path === '' ? 'index.html' : path
    const found = files.includes(file) && extname(file) !== ''
    answer.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' })
    answer.end(found ? readFileSync(join(folder, file)) : '')
  })
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return { url: `http://localhost:${port}`, stop: () => void server.close() }
}

export const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 375 },
  { scheme: 'dark', width: 375 },
] as const

type Look = (typeof looks)[number]

export async function openLook(browser: Browser, { scheme, width }: Look) {
  const viewport = { width, height: 900 }
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport,
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

/** What axe has to say against a page, and whether the page is wider than the screen. */
export async function faultsOf(page: Page, url: string): Promise<string[]> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // @ts-expect-error -- the script above has set it
    const { violations } = await window.axe.run()
    const found = violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { target: string[] }[] }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
    )
    const isTooWide = document.documentElement.scrollWidth > window.innerWidth
    return isTooWide ? [...found, 'it is wider than the screen'] : found
  })
}
