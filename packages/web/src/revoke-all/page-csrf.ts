import { base64url } from 'jose'
import { cookieValues } from '../session/cookies.ts'

const maxAgeSeconds = 15 * 60

interface Place {
  request: Request
  isSecure: boolean
}

/** 32 random bytes: without a session there is nothing that a token could be derived from. */
export function mintCsrfToken() {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** The cookie that the form's token is compared with. Only this page gets it. */
export function csrfCookie(place: Place, token: string) {
  return cookie(place, `${token}; Max-Age=${maxAgeSeconds}`)
}

export function expiredCsrfCookie(place: Place) {
  return cookie(place, '; Max-Age=0')
}

/**
 * Whether the form was drawn for this browser, by this page. A sibling host of the domain can plant a cookie, but not
 * what the browser itself says of where a request comes from.
 */
export async function isOwnForm({ request, isSecure }: Place, token: string) {
  const site = request.headers.get('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin' || !/^[\w-]{43}$/.test(token)) return false
  const held = cookieValues(request.headers.get('cookie'), nameOf(isSecure))
  const matches = await Promise.all(held.slice(0, 3).map((each) => areEqual(each, token)))
  return matches.includes(true)
}

function cookie({ request, isSecure }: Place, value: string) {
  // A `;` is a character like any other in a path, and would begin an attribute here.
  const path = new URL(request.url).pathname.replaceAll(';', '%3B')
  const flags = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${nameOf(isSecure)}=${value}; ${flags}`
}

/** The prefix `__Host-` would want the whole host. Browsers take `__Secure-` over https only. */
function nameOf(isSecure: boolean) {
  return isSecure ? '__Secure-svc_revoke_all_csrf' : 'svc_revoke_all_csrf'
}

/** In constant time: WebCrypto compares, under a key that nobody else has. */
async function areEqual(one: string, other: string) {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify'])
  const mac = await crypto.subtle.sign('HMAC', key, bytesOf(one))
  return crypto.subtle.verify('HMAC', key, mac, bytesOf(other))
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
