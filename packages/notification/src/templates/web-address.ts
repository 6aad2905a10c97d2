/**
 * An address as a link may have it: `http:` or `https:`, without a character that ends an attribute or a line.
 * What is thrown does not repeat it, for most addresses in a message are secrets.
 */
export function webAddress(url: string) {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.href
  throw new Error('A link in a message is no http: or https: address.')
}
