import { callWith, jsonOf, withBody } from './json-answer.ts'
import type { Flow } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signIn } from './sign-in.ts'

/** A mailed link opens a session in which one password can be set. Signup and reset never take each other's secret. */
type Setup = SealedCookie<'signup setup' | 'password reset setup'>

const absent = 'The link has expired. Request another one.'

export const signupSetup: Setup = { name: 'svc_signup_setup', purpose: 'signup setup', absent }
export const passwordResetSetup: Setup = {
  name: 'svc_password_reset_setup',
  purpose: 'password reset setup',
  absent,
}

/** Moves the setup secret from the answer into a cookie, for as long as it is good. */
export const openSetup =
  (setup: Setup): Flow =>
  async (turn) => {
    const answer = await turn.next(turn.call)
    if (!answer.ok) return { answer }
    const { setupSecret, setupExpiresAt, ...shown } = await jsonOf(answer)
    if (typeof setupSecret !== 'string') return { answer: withBody(answer, shown) }
    const lifeMillis = Date.parse(String(setupExpiresAt)) - Date.now()
    const { email, returnPath } = shown
    const content = { setupSecret, email: String(email), returnPath: String(returnPath) }
    const cookie = await setSealed(turn, setup, { content, lifeMillis })
    return { answer: withBody(answer, shown), cookies: [cookie] }
  }

/**
 * Sets the password with the secret of the cookie, and signs in. A password that is too weak leaves the cookie; a secret
 * that is good no more takes it away, so that no page offers to set a password with it.
 */
export const completeSetup =
  (setup: Setup): Flow =>
  async (turn) => {
    const { web, call } = turn
    const { setupSecret } = await openSealed(turn, setup)
    const outcome = await signIn({ ...turn, call: callWith(call, { setupSecret }) })
    const { ok, status } = outcome.answer
    if (!ok && status !== 401) return outcome
    return { ...outcome, cookies: [...(outcome.cookies ?? []), web.cookies.clear(setup.name)] }
  }
