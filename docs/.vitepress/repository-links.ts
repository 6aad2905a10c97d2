import { posix, resolve } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { sitePath } from './site-path.ts'

const root = resolve(import.meta.dirname, '..', '..')

/**
 * Links are written for the repository. One to a page leads to where that is on the site; one to any other file is its
 * text alone, since the file is not there.
 */
export function repositoryLinks(markdown: MarkdownRenderer) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const folder = posix.dirname(posix.relative(root, env.realPath ?? env.path))
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const href = link.type === 'link_open' ? link.attrGet('href') : null
      if (href === null || /^([a-z]+:|#)/.test(href)) continue
      const [file = '', anchor] = href.split('#')
      const page = sitePath(posix.join(folder, file))
      if (!page.endsWith('.md')) link.attrs = null
      else link.attrSet('href', anchor ? `/${page}#${anchor}` : `/${page}`)
    }
  })
}
