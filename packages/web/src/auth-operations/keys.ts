import { createPortableKey } from '@svc/auth'
import type { ProxyCall } from '../proxy/proxy.ts'
import { refusalOf } from '../session/session.ts'
import { deviceNameOf } from './device-name.ts'
import { bodyWith, type Flow, jsonOf } from './outcome.ts'

/** Replaces the key of the session. The old key signs the request. */
export const rotate: Flow = async ({ web, call: given, opened, next }) => {
  const { call, key } = await withNewKey(given)
  // Not after the call: other calls with the old key may be refused, and answered, before this one.
  if (opened) web.retired.add(opened.session.keyId)
  const answer = await next(call)
  if (!answer.ok || !opened) return { answer }
  return { answer, session: { ...opened.session, ...key } }
}

/**
 * Ends the session. If the API doesn't answer, the session stays, so that its key can still be
 * revoked.
 */
export const signOut: Flow = async ({ call, next }) => {
  const answer = await next(call)
  return answer.ok ? { answer, session: null } : { answer }
}

/**
 * Signs out also where the key has expired. A bound key could be renewed, but after this no browser
 * has it.
 */
export const signOutHere: Flow = async (turn) => {
  const outcome = await signOut(turn)
  const { status } = outcome.answer
  if (status !== 401 || (await refusalOf(outcome.answer)) !== 'KeyExpiredError') return outcome
  return { answer: new Response(null, { status: 204 }), session: null }
}

/** Revokes keys. The session ends if its own key is among them. */
export const revoke: Flow = async ({ call, next }) => {
  const answer = await next(call)
  if (!answer.ok) return { answer }
  const { selfRevoked, currentKeyRevoked } = await jsonOf(answer)
  return selfRevoked === true || currentKeyRevoked === true ? { answer, session: null } : { answer }
}

/**
 * Adds the public half of a key that the proxy has made. It replaces what the browser says
 * of a key, but keeps the device's name.
 */
export async function withNewKey(call: ProxyCall) {
  const { registration, ...key } = await createPortableKey()
  const deviceName = deviceNameOf(call.request.headers.get('user-agent'))
  const body = { deviceName, ...bodyWith(call.input.body, { ...registration, platform: 'web' }) }
  const { fingerprint } = registration
  return { call: { ...call, input: { ...call.input, body } }, key, fingerprint }
}
