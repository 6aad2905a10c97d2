import { placeHeader } from '@svc/core/client'

/** What every caller may say of itself to the API, and the place in line that the API has given it. */
const ofCallers = ['accept', 'accept-language', 'user-agent', placeHeader]

/** What the contract of sign-in names beside it, of clients that find the API behind the web host. */
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

/** The cookies that the API sets itself; those of the web app are sealed for the web app. */
const cookiesOfApi = /^(?:svc_oauth_csrf_|__Host-svc_oauth_nonce_|(?:__Host-)?svc_oauth_pending$)/

/** Not for a caller to say, though a contract may name it: who they are, and where they come from. */
const notTheirs = /^(authorization|cookie|host|(x-)?forwarded.*|x-svc-.*|.*-ip)$/

interface OfInput {
  /** What the caller has written as headers into its input. */
  given?: Record<string, unknown> | undefined
  /** Those that the contract of the operation names. */
  named?: readonly string[] | undefined
}

/** What the API gets to see of a browser that calls an operation. */
export function forwardedHeaders(browser: Headers, { given = {}, named = [] }: OfInput = {}) {
  const forwarded: Record<string, unknown> = picked(browser, ofCallers)
  for (const name of named) {
    if (!notTheirs.test(name)) forwarded[name] = given[name] ?? forwarded[name]
  }
  return forwarded
}

/** What it gets to see of a client, or of a browser on its way back from a provider, that asks for what is the API's. */
export function forwardedOfClient(client: Headers) {
  const forwarded = picked(client, [...ofCallers, ...ofClients])
  const cookies = (client.get('cookie') ?? '').split(/; */)
  const ours = cookies.filter((each) => cookiesOfApi.test(each.split('=', 1)[0] ?? ''))
  if (ours.length > 0) forwarded['cookie'] = ours.join('; ')
  return forwarded
}

/** Those of the names that are there. */
export function picked(from: Headers, names: readonly string[]) {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = from.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

/** What a browser gets to see of the API's answer, each cookie beside it. */
export const answeredHeaders = [
  'content-type',
  // What keeps a file of the API from being a page of this origin, and one reader's answer from another.
  'content-disposition',
  'content-security-policy',
  'vary',
  'retry-after',
  'location',
  'etag',
  'cache-control',
  'x-request-id',
]

/** And what the contract of sign-in names beside it. */
export const answeredToClients = [
  'allow',
  'www-authenticate',
  'referrer-policy',
  'x-svc-server-contract-version',
  'x-svc-supported-contract-range',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
]
