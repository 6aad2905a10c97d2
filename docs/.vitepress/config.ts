import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor.ts'
import { emptyHeaders } from './empty-headers.ts'
import { writeLlmsFiles } from './llms.ts'
import { repositoryLinks } from './repository-links.ts'
import { boostDocument } from './search-rank.ts'
import { sidebar } from './sidebar.ts'
import { sitePath } from './site-path.ts'
import { versionMenu } from './versions.ts'

const frontmatter: Record<string, object> = {
  'index.md': { aside: false, sidebar: false, pageClass: 'home' },
  // Seventy operations are too many for an outline.
  'reference/auth.md': { outline: 2 },
  'reference/error-codes.md': { outline: 2 },
}

/** The site describes one version: the one that stands beside it. */
const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../packages/core/package.json'), 'utf8'),
)

/** Where the repository takes edits, for example `https://github.com/…/edit/main`. */
const editAddress = process.env['DOCS_EDIT_URL']

export default defineConfig({
  title: 'Svc',
  description: 'A framework for the server side of an application in TypeScript.',
  lang: 'en-GB',
  // Pages outside of docs/ are on the site too, from where they are.
  srcDir: '..',
  srcExclude: ['**/.*/**', 'bench/**', 'changes/**', 'packages/*/{dist,template}/**'],
  rewrites: sitePath,
  cacheDir: '../.svc/vitepress',
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => void markdown.use(repositoryLinks).use(emptyHeaders),
    // Of the others, some colours are too pale to read (WCAG AA).
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 1500 } },
  buildEnd: writeLlmsFiles,
  transformPageData: ({ relativePath }) => ({ frontmatter: frontmatter[relativePath] ?? {} }),
  themeConfig: {
    search: {
      provider: 'local',
      // What is searched needs no colours.
      options: {
        _render: (text, env, md) => md.render(text.replace(/^```\w.*$/gm, '```txt'), env),
        miniSearch: { searchOptions: { boostDocument } },
      },
    },
    outline: [2, 3],
    ...(editAddress && { editLink: { pattern: `${editAddress}/:path`, text: 'Edit this page' } }),
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guides', link: '/guide/routes', activeMatch: '^/guide/' },
      { text: 'Recipes', link: '/recipes/upload', activeMatch: '^/recipes/' },
      { text: 'Reference', link: '/reference/auth', activeMatch: '^/reference/' },
      versionMenu(version, process.env['DOCS_VERSIONS']),
    ],
    sidebar: sidebar(),
  },
})
