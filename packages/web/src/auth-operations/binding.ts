import { UnauthorizedError } from '@svc/core/client'
import { withNewKey } from './keys.ts'
import { callWith, type Flow, jsonOf, type Turn } from './outcome.ts'
import { signedIn } from './sign-in.ts'

/**
 * Binds the session's key to a passkey, or ends that. Only a bound key can be renewed after it has
 * expired.
 */
export const bind: Flow = async ({ call, opened, next }) => {
  const answer = await next(call)
  if (!answer.ok || !opened) return { answer }
  const { mode } = await jsonOf(answer)
  const { isBound: _, ...session } = opened.session
  return { answer, session: mode === 'passkey' ? { ...session, isBound: true } : session }
}

/** What to ask a passkey for, to renew the session of this browser. */
export const askForRenewal: Flow = async (turn) => ({ answer: await turn.next(ofExpiredKey(turn)) })

/** Replaces a bound key that has expired. The old key signs the request. */
export const renew: Flow = async (turn) => {
  const { call, key } = await withNewKey(ofExpiredKey(turn))
  const answer = await turn.next(call)
  const outcome = await signedIn(turn, { answer, key: { ...key, isBound: true } })
  // The old key is revoked now. The new one signs once the second factor is proved.
  return answer.status === 202 ? { ...outcome, session: null } : outcome
}

function ofExpiredKey({ call, opened }: Turn) {
  if (!opened)
    throw new UnauthorizedError({ message: 'There is no session here to renew. Sign in again.' })
  return callWith(call, { expiredKeyId: opened.session.keyId })
}
