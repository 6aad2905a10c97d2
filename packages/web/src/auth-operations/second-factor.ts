import type { PortableKey } from '@svc/auth'
import type { WebSession } from '../session/session.ts'
import { callWith, type Flow, jsonOf, type Turn, withBody } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'

export const pendingSignIn: SealedCookie<'mfa pending'> = {
  name: 'svc_mfa_pending',
  purpose: 'mfa pending',
  absent: 'Your sign-in has expired. Sign in again.',
}

/**
 * A sign-in waits for its second factor. Its key, and the challenge to finish it, go into a cookie
 * for as long as the API waits. No script can read them, and the key can't sign until the factor
 * has been proved.
 */
export async function waitForFactor(turn: Turn, { answer, key }: Answered) {
  // In the form that the contract has for a 202.
  const { challenge, ...shown } = (await jsonOf(answer)) as unknown as Waiting
  const { secret, expiresAtMillis } = challenge
  const content = { key, challenge: secret, expiresAtMillis }
  const lifeMillis = expiresAtMillis - Date.now()
  const cookie = await setSealed(turn, pendingSignIn, { content, lifeMillis })
  return {
    answer: withBody(answer, { ...shown, challenge: { expiresAtMillis } }),
    cookies: [cookie],
  }
}

/** The key of a future session. */
export type NewKey = PortableKey & Pick<WebSession, 'isBound'>

interface Answered {
  readonly answer: Response
  readonly key: NewKey
}

interface Waiting {
  readonly challenge: { readonly secret: string; readonly expiresAtMillis: number }
}

/**
 * The sign-in that waits in this browser, and the call with its challenge. A challenge from the
 * browser is replaced.
 */
export async function openPending(turn: Turn) {
  const { key, challenge } = await openSealed(turn, pendingSignIn)
  return { key, call: callWith(turn.call, { challenge }) }
}

/** What to ask a passkey for, to finish the sign-in that waits here. */
export const askForFactor: Flow = async (turn) => {
  const { call } = await openPending(turn)
  return { answer: await turn.next(call) }
}

export function clearPending({ web }: Turn) {
  return web.cookies.clear(pendingSignIn.name)
}
