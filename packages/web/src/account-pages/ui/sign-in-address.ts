/** An address that leads back to `returnTo`. That is `/` for a user who came from no other page. */
export function withReturnTo(path: string, returnTo: string) {
  if (returnTo === '/') return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ returnTo })}`
}
