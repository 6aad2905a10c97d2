const schemeOfApp = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/
const loopback = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Whether a code may ever be sent there: over TLS, to this machine, or to an app by a scheme that
 * is a domain of its own, or that the application has named. It must be in the normal form of a URL
 * parser, so that no two parsers read it differently.
 */
export function isRedirectUri(given: string, appSchemes: readonly string[] = []) {
  const url = URL.parse(given)
  if (!url || !isNormal(given, url) || !/^[!-~]+$/.test(given)) return false
  if (given.includes('#') || url.username !== '' || url.password !== '') return false
  const { protocol } = url
  const isOfApp = schemeOfApp.test(protocol) || appSchemes.includes(protocol.slice(0, -1))
  return protocol === 'https:' || isLoopback(url) || isOfApp
}

/**
 * Editors register `http://127.0.0.1:33418`, without the slash. A loopback address can't be
 * confused with another host.
 */
function isNormal(given: string, url: URL) {
  return url.href === given || (isLoopback(url) && url.href === `${given}/`)
}

/**
 * Whether a code may be sent there: the URIs must be identical, except for the port of a loopback
 * address (RFC 8252, 7.3).
 */
export function isRedirectUriOf(
  { redirectUris }: { readonly redirectUris: readonly string[] },
  given: string,
): boolean {
  if (redirectUris.includes(given)) return true
  const portless = loopbackWithoutPort(given)
  return portless !== null && redirectUris.some((uri) => loopbackWithoutPort(uri) === portless)
}

/**
 * Where it leads, for users to recognise. The text after an app's own scheme is not a host, and a
 * scheme may look like another's host. So it keeps the colon, which no host ends with.
 */
export function redirectHost(redirectUri: string) {
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}

function isLoopback({ protocol, hostname }: URL) {
  return protocol === 'http:' && loopback.includes(hostname)
}

function loopbackWithoutPort(given: string) {
  const url = isRedirectUri(given) ? new URL(given) : null
  if (!url || !isLoopback(url)) return null
  url.port = ''
  return url.href
}

/** A grant has it in place of a redirect URI if its client shows a code. No client can register it. */
const codeShown = 'device-code:'

/** What a grant has in place of a redirect URI if its client shows a code. A client with a document has its address. */
export const placeOfCode = ({ clientId, source }: Shown) =>
  source === 'document' ? clientId : codeShown

interface Shown {
  readonly clientId: string
  readonly source: 'registration' | 'document' | 'configuration'
}
