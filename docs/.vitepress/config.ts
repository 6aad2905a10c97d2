import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor.ts'
import { repositoryLinks } from './repository-links.ts'
import { sidebar } from './sidebar.ts'
import { sitePath } from './site-path.ts'

const frontmatter: Record<string, object> = {
  'index.md': { aside: false, sidebar: false, pageClass: 'home' },
  // Seventy operations are too many for an outline.
  'reference/auth.md': { outline: 2 },
}

export default defineConfig({
  title: 'Svc',
  description: 'A framework for the server side of an application in TypeScript.',
  lang: 'en-GB',
  // Pages outside of docs/ are on the site too, from where they are.
  srcDir: '..',
  srcExclude: ['**/.*/**', 'bench/**', 'changes/**', 'packages/*/template/**'],
  rewrites: sitePath,
  cacheDir: '../.svc/vitepress',
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => void markdown.use(repositoryLinks),
    theme: { light: 'github-light', dark: 'github-dark-dimmed' },
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 1500 } },
  transformPageData: ({ relativePath }) => ({ frontmatter: frontmatter[relativePath] ?? {} }),
  themeConfig: {
    search: {
      provider: 'local',
      // What is searched needs no colours.
      options: {
        _render: (text, env, md) => md.render(text.replace(/^```\w.*$/gm, '```txt'), env),
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guides', link: '/guide/routes', activeMatch: '^/guide/' },
      { text: 'Reference', link: '/reference/auth', activeMatch: '^/reference/' },
    ],
    sidebar: sidebar(),
  },
})
