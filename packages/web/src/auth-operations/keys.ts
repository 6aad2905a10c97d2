import { createPortableKey } from '@svc/auth'
import type { ProxyCall } from '../proxy/proxy.ts'
import { refusalOf } from '../session/session.ts'
import { deviceNameOf } from './device-name.ts'
import { bodyWith, type Flow, jsonOf } from './outcome.ts'

/** Puts a new key in the place of the session's own, which signs for it once more. */
export const rotate: Flow = async ({ web, call: given, opened, next }) => {
  const { call, key } = await withNewKey(given)
  // Not after: other calls of the old key may be refused, and answered, before this one is.
  if (opened) web.retired.add(opened.session.keyId)
  const answer = await next(call)
  if (!answer.ok || !opened) return { answer }
  return { answer, session: { ...opened.session, ...key } }
}

/** Ends the session. While the API does not answer it stays, so that its key can still be revoked. */
export const signOut: Flow = async ({ call, next }) => {
  const answer = await next(call)
  return answer.ok ? { answer, session: null } : { answer }
}

/** The same where its key has run out: a bound one could be renewed, and nobody holds it any more then. */
export const signOutHere: Flow = async (turn) => {
  const outcome = await signOut(turn)
  const { status } = outcome.answer
  if (status !== 401 || (await refusalOf(outcome.answer)) !== 'KeyExpiredError') return outcome
  return { answer: new Response(null, { status: 204 }), session: null }
}

/** Revokes keys; the session ends where its own was among them. */
export const revoke: Flow = async ({ call, next }) => {
  const answer = await next(call)
  if (!answer.ok) return { answer }
  const { selfRevoked, currentKeyRevoked } = await jsonOf(answer)
  return selfRevoked === true || currentKeyRevoked === true ? { answer, session: null } : { answer }
}

/**
 * Gives a call the public half of a key that the proxy has made. What the browser says of a key is written
 * over; what it calls the device stands.
 */
export async function withNewKey(call: ProxyCall) {
  const { registration, ...key } = await createPortableKey()
  const deviceName = deviceNameOf(call.request.headers.get('user-agent'))
  const body = { deviceName, ...bodyWith(call.input.body, { ...registration, platform: 'web' }) }
  const { fingerprint } = registration
  return { call: { ...call, input: { ...call.input, body } }, key, fingerprint }
}
