/** Whether a page belongs to a part of the site. Every path is under `/`, which is one page alone. */
export function isUnder(path: string, part: string) {
  return path === part || (part !== '/' && path.startsWith(`${part}/`))
}
