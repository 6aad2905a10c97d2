/** An address that knows where somebody was going. `/` is where everybody goes who was going nowhere. */
export function withReturnTo(path: string, returnTo: string) {
  if (returnTo === '/') return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ returnTo })}`
}
