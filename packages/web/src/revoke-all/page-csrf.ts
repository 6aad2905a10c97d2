import { base64url } from 'jose'
import { isSentByOwnPage } from '../page/own-page.ts'
import { type Place, pageCookie, pageCookieName } from '../page/page-cookie.ts'
import { cookieValues } from '../session/cookies.ts'

const name = 'svc_revoke_all_csrf'
const sameSite = 'Strict'

/** 32 random bytes: without a session there is nothing that a token could be derived from. */
export function mintCsrfToken() {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** The cookie that the form's token is compared with. Only this page gets it. */
export function csrfCookie(place: Place, token: string) {
  return pageCookie(place, name, { value: token, maxAgeSeconds: 15 * 60, sameSite })
}

export function expiredCsrfCookie(place: Place) {
  return pageCookie(place, name, { value: '', maxAgeSeconds: 0, sameSite })
}

/** Whether the form was drawn for this browser, by this page. */
export async function isOwnForm({ request, isSecure }: Place, token: string) {
  if (!isSentByOwnPage(request) || !/^[\w-]{43}$/.test(token)) return false
  const held = cookieValues(request.headers.get('cookie'), pageCookieName(isSecure, name))
  const matches = await Promise.all(held.slice(0, 3).map((each) => areEqual(each, token)))
  return matches.includes(true)
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
