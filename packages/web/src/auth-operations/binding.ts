import { jsonOf } from './json-answer.ts'
import type { Flow } from './outcome.ts'
import { signIn } from './sign-in.ts'

/** Binds the session's key to a passkey, or ends that: whether a key that has run out is renewed goes by it. */
export const bind: Flow = async ({ call, opened, next }) => {
  const answer = await next(call)
  if (!answer.ok || !opened) return { answer }
  const { mode } = await jsonOf(answer)
  const { isBound: _, ...session } = opened.session
  return { answer, session: mode === 'passkey' ? { ...session, isBound: true } : session }
}

/** Puts a new key in the place of a bound one that has run out. The session stays bound. */
export const renew: Flow = async (turn) => {
  const outcome = await signIn(turn)
  if (!outcome.session || !turn.opened?.session.isBound) return outcome
  return { ...outcome, session: { ...outcome.session, isBound: true } }
}
