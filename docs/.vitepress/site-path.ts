/** Where a page of the repository is on the site, by the path that it has there. */
export function sitePath(path: string) {
  const [folder = '', name = '', rest] = path.split('/')
  if (path === 'README.md') return 'what-it-is.md'
  if (path === 'decisions/README.md') return 'decisions/index.md'
  if (path === 'apps/starter/README.md') return 'starter.md'
  if (folder === 'packages' && rest === 'README.md') return `packages/${name}.md`
  if (folder === 'docs') return path.slice('docs/'.length)
  return path.includes('/') ? path : path.toLowerCase()
}
