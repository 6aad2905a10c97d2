/**
 * Whether a page belongs to a part of the site. Every path starts with `/`, which is the home page
 * only.
 */
export function isUnder(path: string, part: string) {
  return path === part || (part !== '/' && path.startsWith(`${part}/`))
}
