import { readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { sitePath } from './site-path.ts'

/** The lists of the documentation's first page, which name every other page. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const index = readFileSync(resolve(import.meta.dirname, '..', 'index.md'), 'utf8')
  const [, ...sections] = index.split(/^## /m)
  return sections.flatMap((section) => {
    const [text = ''] = section.split('\n', 1)
    const items = [...section.matchAll(/^- \[([^\]]+)\]\((\S+\.md)\)/gm)].map(
      ([, name = '', link = '']) => ({
        text: name,
        link: `/${sitePath(posix.join('docs', link)).replace(/(index)?\.md$/, '')}`,
      }),
    )
    return items.length === 0 ? [] : [{ text, items }]
  })
}
