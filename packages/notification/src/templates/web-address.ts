/**
 * An address that a link may have: `http:` or `https:`, without a character that ends an attribute
 * or a line. The error does not repeat it, because most addresses in messages are secrets.
 */
export function webAddress(url: string) {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.href
  throw new Error('A link in a message must be an http: or https: address.')
}
