import { type AuthApi, PasswordChangeRequiredError } from '@svc/auth'
import { Html, html } from '@svc/core/html'
import { base64url } from 'jose'
import { type Place, pageCookie, pageCookieName } from '../page/page.ts'
import { cookieValues } from '../session/session.ts'

type Input = NonNullable<Parameters<AuthApi['getOAuth2Authorize']['call']>[0]>

/** The request of a client, from the address that it has opened. */
export type AskedFields = NonNullable<Input['query']>

// Each field must be here, or this does not compile: a field that gets lost would not be part of
// the consent.
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
  nonce: true,
  prompt: true,
  max_age: true,
  id_token_hint: true,
  asked_at: true,
} satisfies Record<keyof AskedFields, true>

export function readAskedFields(given: URLSearchParams): AskedFields {
  const found = Object.keys(asked).map((name) => [name, given.get(name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== null))
}

export function queryOf(fields: AskedFields) {
  return new URLSearchParams(fields).toString()
}

/**
 * Where a browser goes without a session, if the client wants no page to be shown: back to the endpoint that has sent
 * it, which tells the client. Null if a page may be shown.
 */
export function quietWay(fields: AskedFields) {
  if (!fields.prompt?.split(' ').includes('none')) return null
  return `/_auth/oauth2/authorize?${queryOf(fields)}`
}

/** The same for a user who has to set a new password before anything else. */
export function quietWayAfter(error: unknown, fields: AskedFields) {
  return error instanceof PasswordChangeRequiredError ? quietWay(fields) : null
}

/** The fields that the page's form sends again, so that the user allows exactly what was shown. */
export function hiddenFields(fields: AskedFields, more: { csrf: string; owner?: string }) {
  const inputs = Object.entries({ ...fields, ...more }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return new Html(inputs.join('')).toString()
}

// Signing up by a mailed link takes a while.
const maxAgeSeconds = 3600
// Browsers drop a cookie over 4,096 bytes, name and attributes included, and say nothing.
const longestQuery = 3500

/**
 * Keeps what the client asked for while the user signs in. It can't be the return path, which is a
 * short path of our own: it has addresses in it. Null if no cookie could hold it.
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

/**
 * Only the request with this id: a cookie that another host of the domain has planted can't replace
 * it.
 */
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
