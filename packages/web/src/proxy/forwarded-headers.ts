import { placeHeader } from '@svc/core/client'

/** The headers that every caller may send to the API, with the place in line that the API has given it. */
const ofCallers = ['accept', 'accept-language', 'user-agent', placeHeader]

/** Further headers in the contract of sign-in, for clients that find the API behind the web host. */
const ofClients = [
  'content-type',
  'authorization',
  'dpop',
  'x-svc-auth-profile',
  'x-svc-client-contract-version',
  'x-svc-client-id',
  'x-svc-client-kind',
  'x-svc-client-version',
  'x-svc-issued-at',
  'x-svc-key-id',
  'x-svc-known-browser',
  'x-svc-nonce',
  'x-svc-proof',
  // A page of another origin asks first whether it may call.
  'origin',
  'access-control-request-headers',
  'access-control-request-method',
]

/** The cookies that the API sets itself. The web app's cookies are only for the web app. */
const cookiesOfApi = /^(?:svc_oauth_csrf_|__Host-svc_oauth_nonce_|(?:__Host-)?svc_oauth_pending$)/

/** Headers that a caller must not set, even if a contract names them: they say who and where the caller is. */
const notTheirs = /^(authorization|cookie|host|(x-)?forwarded.*|x-svc-.*|.*-ip)$/

interface OfInput {
  /** The headers in the caller's input. */
  given?: Record<string, unknown> | undefined
  /** The headers that the contract of the operation names. */
  named?: readonly string[] | undefined
}

/** The headers that the API gets when a browser calls an operation. */
export function forwardedHeaders(browser: Headers, { given = {}, named = [] }: OfInput = {}) {
  const forwarded: Record<string, unknown> = picked(browser, ofCallers)
  for (const name of named) {
    if (!notTheirs.test(name)) forwarded[name] = given[name] ?? forwarded[name]
  }
  return forwarded
}

/** The headers that it gets for a forwarded request of a client, or of a browser that comes back from a provider. */
export function forwardedOfClient(client: Headers) {
  const forwarded = picked(client, [...ofCallers, ...ofClients])
  const cookies = (client.get('cookie') ?? '').split(/; */)
  const ours = cookies.filter((each) => cookiesOfApi.test(each.split('=', 1)[0] ?? ''))
  if (ours.length > 0) forwarded['cookie'] = ours.join('; ')
  return forwarded
}

/** The headers of these names that are present. */
export function picked(from: Headers, names: readonly string[]) {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = from.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

/** The headers of the API's answer that a browser gets, and each cookie. */
export const answeredHeaders = [
  'content-type',
  // These keep a file of the API from becoming a page of this origin, and one user's answer from another user.
  'content-disposition',
  'content-security-policy',
  'vary',
  'retry-after',
  'location',
  'etag',
  'cache-control',
  'www-authenticate',
  'x-request-id',
]

/** Further headers that the contract of sign-in names. */
export const answeredToClients = [
  'allow',
  'referrer-policy',
  'x-svc-server-contract-version',
  'x-svc-supported-contract-range',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
]
