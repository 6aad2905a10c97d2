import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { sitePath } from './site-path.ts'

interface Site {
  /** By their paths in the repository. */
  pages: string[]
  srcDir: string
  outDir: string
}

/** What agents don't need: why it was decided, and what was released. */
const left = /^## Project$/m

/**
 * The pages as Markdown beside those in HTML, and two files that agents look for (llmstxt.org): `llms.txt` lists the
 * pages, and `llms-full.txt` has their text.
 */
export function writeLlmsFiles({ pages, srcDir, outDir }: Site) {
  const texts = new Map(
    pages.map((page) => [page, withSiteLinks(readFileSync(join(srcDir, page), 'utf8'), page)]),
  )
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(outDir, path)), { recursive: true })
    writeFileSync(join(outDir, path), text)
  }
  for (const [page, text] of texts) write(sitePath(page), text)

  const index = texts.get('docs/index.md') ?? ''
  const [listed = ''] = index.slice(index.indexOf('## Quick starts')).split(left)
  write('llms.txt', `# Svc\n\n> ${summaryOf(index)}\n\n${listed.trim()}\n`)

  const bySitePath = new Map([...texts].map(([page, text]) => [`/${sitePath(page)}`, text]))
  const full = [...listed.matchAll(/^- \[[^\]]+\]\((\/[^)#]+)/gm)].map(
    ([, path = '']) => `<!-- ${path} -->\n\n${bySitePath.get(path)?.trim()}\n`,
  )
  write('llms-full.txt', full.join('\n'))
}

/** The paragraph below the title, on one line. */
function summaryOf(page: string) {
  return (page.split(/\n{2,}/)[1] ?? '').replaceAll('\n', ' ')
}

/** Links are written for the repository. A link to a page leads to its Markdown on the site; others are their text. */
function withSiteLinks(text: string, page: string) {
  return text.replace(/!?\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^([a-z]+:|#)/.test(target)) return link
    const [file = '', anchor] = target.split('#')
    const path = sitePath(posix.join(posix.dirname(page), file))
    if (!path.endsWith('.md')) return words
    return `[${words}](/${path}${anchor ? `#${anchor}` : ''})`
  })
}
