import { base64url } from 'jose'
import { type Place, pageCookie, pageCookieName } from '../page/page-cookie.ts'
import { cookieValues } from '../session/cookies.ts'

// Signing up by a mailed link takes a while.
const maxAgeSeconds = 3600
// Browsers drop a cookie over 4,096 bytes, name and attributes included, and say nothing.
const longestQuery = 3500

/**
 * Keeps what was asked for while somebody signs in: a way back is a short path of our own, and this has addresses in it.
 * Null where no cookie could hold it.
 */
export async function keepRequest(place: Place, query: string) {
  if (query.length > longestQuery) return null
  const id = await idOf(query)
  const cookie = pageCookie(place, nameOf(id), { value: query, maxAgeSeconds, sameSite: 'Lax' })
  return { cookie, returnTo: `${new URL(place.request.url).pathname}?request=${id}` }
}

/** Only what has this id: a cookie that another host of the domain has planted cannot take its place. */
export async function keptRequest({ request, isSecure }: Place, id: string) {
  const held = cookieValues(request.headers.get('cookie'), pageCookieName(isSecure, nameOf(id)))
  const ids = await Promise.all(held.slice(0, 3).map(idOf))
  return held[ids.indexOf(id)] ?? null
}

const nameOf = (id: string) => `svc_consent_request_${id}`

async function idOf(query: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(query))
  return base64url.encode(new Uint8Array(digest).subarray(0, 16))
}
