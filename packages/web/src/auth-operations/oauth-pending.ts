import { openPortableKey } from '@svc/auth'
import { requestSigner } from '@svc/core/client'
import { base64url } from 'jose'
import type { CookieName } from '../session/cookies.ts'
import { bodyWith } from './json-answer.ts'
import { withNewKey } from './new-key.ts'
import type { Flow, Turn } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signedIn } from './sign-in.ts'

// As long as the state that the provider carries.
const lifeMillis = 10 * 60_000

const pending: SealedCookie<'oauth pending'> = {
  name: 'svc_oauth_pending',
  purpose: 'oauth pending',
  absent: 'No sign-in waits here any more. Sign in again.',
}

/**
 * Sends the browser to a provider. The state gets the public half of a new key and a nonce; the browser keeps the
 * private half, sealed, and the same nonce, by which the callback knows that it is the browser that set out.
 */
export const leaveForProvider: Flow = async (turn) => {
  const { call, key } = await withNewKey(turn.call)
  const nonce = base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
  const body = bodyWith(call.input.body, { nonce })
  const answer = await turn.next({ ...call, input: { ...call.input, body } })
  if (!answer.ok) return { answer }
  const ofKey = await setSealed(turn, pending, { content: key, lifeMillis })
  const ofNonce = { value: nonce, maxAgeSeconds: lifeMillis / 1000 }
  return { answer, cookies: [ofKey, turn.web.cookies.set(nonceCookie(turn), ofNonce)] }
}

/** Signs in who has come back. The key that was sent ahead signs for it: the callback has put it under the account. */
export const finalize: Flow = async (turn) => {
  const key = await openSealed(turn, pending)
  const sign = requestSigner(await openPortableKey(key))
  const answer = await turn.next({ ...turn.call, sign })
  const outcome = await signedIn(turn, { answer, key })
  if (!answer.ok) return { ...outcome, isOfOtherKey: true }
  const { cookies } = turn.web
  const spent = [cookies.clear(pending.name), cookies.clear(nonceCookie(turn))]
  return { ...outcome, cookies: [...(outcome.cookies ?? []), ...spent] }
}

/**
 * Cookies are not kept apart by port: without it, apps on one host would overwrite each other's. The app's own address
 * counts before the request's, where a proxy in front may have put another.
 */
function nonceCookie({ web, call }: Turn): CookieName {
  const { NEXT_PUBLIC_SVC_APP_URL, SVC_APP_URL } = web.env
  const { port, protocol } = new URL(NEXT_PUBLIC_SVC_APP_URL ?? SVC_APP_URL ?? call.request.url)
  return `svc_oauth_csrf_${port || (protocol === 'https:' ? '443' : '80')}`
}
