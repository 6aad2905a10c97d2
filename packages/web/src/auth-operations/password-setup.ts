import { UnauthorizedError } from '@svc/core/client'
import type { CookieName } from '../session/cookies.ts'
import type { Purpose } from '../session/sealer.ts'
import { bodyWith, jsonOf, withBody } from './json-answer.ts'
import type { Flow, Turn } from './outcome.ts'
import { signIn } from './sign-in.ts'

/** A mailed link opens a session in which one password can be set. Signup and reset never take each other's secret. */
interface Setup {
  readonly cookie: CookieName
  readonly purpose: Extract<Purpose, `${string} setup`>
}

export const signupSetup: Setup = { cookie: 'svc_signup_setup', purpose: 'signup setup' }
export const passwordResetSetup: Setup = {
  cookie: 'svc_password_reset_setup',
  purpose: 'password reset setup',
}

/** Moves the setup secret from the answer into a cookie, for as long as it is good. */
export const openSetup =
  (setup: Setup): Flow =>
  async ({ web, call, next }) => {
    const answer = await next(call)
    if (!answer.ok) return { answer }
    const { setupSecret, setupExpiresAt, ...shown } = await jsonOf(answer)
    if (typeof setupSecret !== 'string') return { answer: withBody(answer, shown) }
    const expiresAtMillis = Date.parse(String(setupExpiresAt))
    const value = await web.sealer.seal(setup.purpose, { setupSecret }, expiresAtMillis)
    const maxAgeSeconds = (expiresAtMillis - Date.now()) / 1000
    const cookie = web.cookies.set(setup.cookie, { value, maxAgeSeconds })
    return { answer: withBody(answer, shown), cookies: [cookie] }
  }

/** Sets the password with the secret of the cookie, and signs in. A password that is too weak leaves the cookie. */
export const completeSetup =
  (setup: Setup): Flow =>
  async (turn) => {
    const { web, call } = turn
    const { setupSecret } = await openedSetup(turn, setup)
    const body = bodyWith(call.input.body, { setupSecret })
    const outcome = await signIn({ ...turn, call: { ...call, input: { ...call.input, body } } })
    if (!outcome.answer.ok) return outcome
    return { ...outcome, cookies: [...(outcome.cookies ?? []), web.cookies.clear(setup.cookie)] }
  }

async function openedSetup({ web, call }: Turn, { cookie, purpose }: Setup) {
  const value = web.cookies.valueOf(call.request.headers.get('cookie'), cookie)
  const opened = value && (await web.sealer.open(purpose, value, Date.now()))
  if (opened) return opened.content
  throw new UnauthorizedError({ message: 'The link has expired. Ask for another.' })
}
