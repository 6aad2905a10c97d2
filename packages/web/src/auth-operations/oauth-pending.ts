import { openPortableKey } from '@svc/auth'
import { ConflictError, requestSigner } from '@svc/core/client'
import { base64url } from 'jose'
import type { CookieName } from '../session/session.ts'
import { withNewKey } from './keys.ts'
import { callWith, type Flow, type Turn } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signedIn } from './sign-in.ts'

// As long as the state that the provider carries.
const lifeMillis = 10 * 60_000

export const pendingOAuth: SealedCookie<'oauth pending'> = {
  name: 'svc_oauth_pending',
  purpose: 'oauth pending',
  absent: 'Your sign-in has expired. Sign in again.',
}

/**
 * Sends the browser to a provider. The state gets the public half of a new key; the browser keeps the private half,
 * sealed.
 */
export const leaveForProvider: Flow = async (turn) => {
  const { call, key } = await withNewKey(turn.call)
  const left = await leave({ ...turn, call })
  if (!left.answer.ok) return left
  const ofKey = await setSealed(turn, pendingOAuth, { content: key, lifeMillis })
  return { ...left, cookies: [ofKey, ...left.cookies] }
}

/**
 * The same to link a provider to an account: its owner is signed in, and stays so with the key of
 * the session.
 */
export const leaveToLink: Flow = (turn) => leave(turn)

/**
 * The state and the browser get the same nonce, so that the callback knows that this browser
 * started the sign-in.
 */
async function leave(turn: Turn) {
  const { web, call, next } = turn
  const nonce = base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
  const answer = await next(callWith(call, { nonce }))
  const ofNonce = { value: nonce, maxAgeSeconds: lifeMillis / 1000 }
  const set = (name: CookieName) => web.cookies.set(name, ofNonce)
  return { answer, cookies: answer.ok ? nonceCookies(turn).map(set) : [] }
}

/** Signs in the user who has come back from a provider. */
export const finalize: Flow = async (turn) => {
  const { web, call } = turn
  const pendingToken = web.cookies.valueOf(call.request.headers.get('cookie'), pendingOAuth.name)
  const isKeyless = pendingToken !== null && tokenForm.test(pendingToken)
  const { answer, key } = await (isKeyless ? giveKey(turn, pendingToken) : signWithKey(turn))
  const outcome = await signedIn(turn, { answer, key })
  if (!answer.ok) return { ...outcome, isOfOtherKey: true }
  const spent = [pendingOAuth.name, ...nonceCookies(turn)].map((name) => web.cookies.clear(name))
  return { ...outcome, cookies: [...(outcome.cookies ?? []), ...spent] }
}

/**
 * The key that was sent ahead signs the request: the callback has registered it for the account.
 */
async function signWithKey(turn: Turn) {
  const key = await openSealed(turn, pendingOAuth)
  const sign = requestSigner(await openPortableKey(key))
  return {
    key,
    answer: await turn.next({ ...callWith(turn.call, { pendingToken: undefined }), sign }),
  }
}

// The callback gives this token, in a cookie of the same name, to a browser that has followed a
// plain link. A sealed text has dots.
const tokenForm = /^[\w-]{43}$/

/**
 * No key was sent ahead. Another site may have planted the link, so it must not replace a session
 * (login CSRF, attack 79).
 */
async function giveKey(turn: Turn, pendingToken: string) {
  if (turn.opened) {
    throw new ConflictError({ message: 'You are signed in already. Sign out first.' })
  }
  const { call, key } = await withNewKey(turn.call)
  return { key, answer: await turn.next(callWith(call, { pendingToken })) }
}

/**
 * Cookies are shared between ports: without the port in the name, apps on one host would overwrite
 * each other's. The app's own address counts before the request's, because a proxy in front may
 * have changed that.
 */
function nonceCookies({ web, call }: Turn): CookieName[] {
  const { NEXT_PUBLIC_SVC_APP_URL, SVC_APP_URL } = web.env
  const { port, protocol } = new URL(NEXT_PUBLIC_SVC_APP_URL ?? SVC_APP_URL ?? call.request.url)
  const own = port || (protocol === 'https:' ? '443' : '80')
  // Over https, a second one that no other host of the domain can plant (login CSRF, attack 15).
  return [
    `svc_oauth_csrf_${own}`,
    ...(web.cookies.isSecure ? [`svc_oauth_nonce_${own}` as const] : []),
  ]
}
