/** An address that leads back to `returnTo`, which is `/` for a user who was going nowhere. */
export function withReturnTo(path: string, returnTo: string) {
  if (returnTo === '/') return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ returnTo })}`
}
