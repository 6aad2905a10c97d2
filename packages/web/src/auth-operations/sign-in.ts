import { requestSigner, UnauthorizedError } from '@svc/core/client'
import { ownCalls } from '../session/session.ts'
import { withNewKey } from './keys.ts'
import { keepKnownBrowser } from './known-browser.ts'
import { type Flow, jsonOf, type Outcome, type Turn } from './outcome.ts'
import { clearPending, type NewKey, openPending, waitForFactor } from './second-factor.ts'

/** Signs in with a new key. All ways to sign in share this. */
export const signIn: Flow = async (turn) => {
  const { call, key } = await withNewKey(turn.call)
  return signedIn(turn, { answer: await turn.next(call), key })
}

/** Finishes a sign-in that waited for the second factor. Its key is in the cookie that the 202 set. */
export const verifySecondFactor: Flow = async (turn) => {
  const { key, call } = await openPending(turn)
  const answer = await turn.next(call)
  if (answer.ok) await refuseOtherKey(answer, key)
  const outcome = await signedIn(turn, { answer, key })
  if (!outcome.session) return outcome
  return { ...outcome, cookies: [...(outcome.cookies ?? []), clearPending(turn)] }
}

/**
 * With the challenge of another sign-in, the API would let that one's key sign, but we have this
 * one's.
 */
async function refuseOtherKey(answer: Response, { keyId }: NewKey) {
  if ((await jsonOf(answer))['keyId'] === keyId) return
  throw new UnauthorizedError({
    message: 'This belongs to a sign-in in another browser. Start again in this one.',
  })
}

interface Answered {
  readonly answer: Response
  readonly key: NewKey
}

/** The session of an answer. There is none before the second factor is proved. */
export async function signedIn(turn: Turn, { answer, key }: Answered): Promise<Outcome> {
  if (!answer.ok) return { answer }
  const { mfaRequired, userId } = await jsonOf(answer)
  if (mfaRequired === true) return waitForFactor(turn, { answer, key })
  if (typeof userId !== 'string') return { answer }
  await endReplaced(turn)
  return { ...(await keepKnownBrowser(turn, answer)), session: { userId, ...key } }
}

/**
 * No browser holds the key of the session that this one replaces any more, so the key must not stay
 * among the account's devices. If the API can't revoke it now, the sign-in goes on all the same.
 */
async function endReplaced({ web, call, opened, next }: Turn) {
  if (!opened) return
  web.retired.add(opened.session.keyId)
  const logout = { name: 'logout', operation: ownCalls.logout, input: {}, headers: {} }
  try {
    await next({ ...logout, request: call.request, sign: requestSigner(opened.key) })
  } catch (error) {
    console.error('The key of a session that was replaced could not be revoked.', error)
  }
}
