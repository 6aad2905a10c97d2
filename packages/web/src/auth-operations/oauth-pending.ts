import { openPortableKey, type PortableKey } from '@svc/auth'
import { requestSigner, UnauthorizedError } from '@svc/core/client'
import type { CookieName } from '../session/cookies.ts'
import { bodyWith } from './json-answer.ts'
import { withNewKey } from './new-key.ts'
import type { Flow, Turn } from './outcome.ts'
import { signedIn } from './sign-in.ts'

// As long as the state that the provider carries.
const pendingMillis = 10 * 60_000

/**
 * Sends the browser to a provider. The state gets the public half of a new key and a nonce; the browser keeps the
 * private half, sealed, and the same nonce, by which the callback knows that it is the browser that set out.
 */
export const leaveForProvider: Flow = async (turn) => {
  const { call, key } = await withNewKey(turn.call)
  const nonce = randomNonce()
  const body = bodyWith(call.input.body, { nonce })
  const answer = await turn.next({ ...call, input: { ...call.input, body } })
  if (!answer.ok) return { answer }
  const { cookies } = turn.web
  const value = await sealPending(turn, key)
  const maxAgeSeconds = pendingMillis / 1000
  return {
    answer,
    cookies: [
      cookies.set('svc_oauth_pending', { value, maxAgeSeconds }),
      cookies.set(nonceCookie(turn), { value: nonce, maxAgeSeconds }),
    ],
  }
}

/** Signs in who has come back. The key that was sent ahead signs for it: the callback has put it under the account. */
export const finalize: Flow = async (turn) => {
  const key = await pendingKey(turn)
  const sign = requestSigner(await openPortableKey(key))
  const answer = await turn.next({ ...turn.call, sign })
  const outcome = await signedIn(turn, { answer, key })
  if (!answer.ok) return { ...outcome, isOfOtherKey: true }
  const { cookies } = turn.web
  const spent = [cookies.clear('svc_oauth_pending'), cookies.clear(nonceCookie(turn))]
  return { ...outcome, cookies: [...(outcome.cookies ?? []), ...spent] }
}

function sealPending({ web }: Turn, { keyId, algorithm, privateKey }: PortableKey) {
  const key: PortableKey = { keyId, algorithm, privateKey }
  return web.sealer.seal('oauth pending', key, Date.now() + pendingMillis)
}

async function pendingKey({ web, call }: Turn): Promise<PortableKey> {
  const value = web.cookies.valueOf(call.request.headers.get('cookie'), 'svc_oauth_pending')
  const pending = value && (await web.sealer.open('oauth pending', value, Date.now()))
  if (pending) return pending.content
  throw new UnauthorizedError({ message: 'No sign-in waits here any more. Sign in again.' })
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

function randomNonce() {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
