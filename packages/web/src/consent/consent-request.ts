import type { AuthApi } from '@svc/auth'
import { Html, html } from '@svc/core/html'
import { base64url } from 'jose'
import { type Place, pageCookie, pageCookieName } from '../page/page.ts'
import { cookieValues } from '../session/session.ts'

type Input = NonNullable<Parameters<AuthApi['getOAuth2Authorize']['call']>[0]>

/** What a client asks for, as it stands in the address that it has opened. */
export type AskedFields = NonNullable<Input['query']>

// Each of them, or this does not compile: what is lost on the way would not be part of what is allowed.
const asked = {
  response_type: true,
  client_id: true,
  redirect_uri: true,
  scope: true,
  state: true,
  code_challenge: true,
  code_challenge_method: true,
  resource: true,
  dpop_jkt: true,
} satisfies Record<keyof AskedFields, true>

export function readAskedFields(given: URLSearchParams): AskedFields {
  const found = Object.keys(asked).map((name) => [name, given.get(name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== null))
}

export function queryOf(fields: AskedFields) {
  return new URLSearchParams(fields).toString()
}

/** What the page's form sends again, so that what is allowed is what was shown. */
export function hiddenFields(fields: AskedFields, csrf: string) {
  const inputs = Object.entries({ ...fields, csrf }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return new Html(inputs.join('')).toString()
}

// Signing up by a mailed link takes a while.
const maxAgeSeconds = 3600
// Browsers drop a cookie over 4,096 bytes, name and attributes included, and say nothing.
const longestQuery = 3500

/**
 * Keeps what was asked for while somebody signs in: a way back is a short path of our own, and this has addresses in it.
 * Null where no cookie could hold it.
 */
export async function keepRequest(
  place: Place,
  query: string,
  isSetBy: 'server' | 'script' = 'server',
) {
  if (query.length > longestQuery) return null
  const id = await idOf(query)
  const cookie = pageCookie(place, nameOf(id), {
    value: query,
    maxAgeSeconds,
    sameSite: 'Lax',
    isSetBy,
  })
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
