import { callWith, type Flow, jsonOf, withBody } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'
import { signIn } from './sign-in.ts'

type Setup = SealedCookie<`${string} setup`>

/**
 * A mailed link was opened. What it is for, such as setting a password, can be finished once. Each
 * name has its own cookie and purpose, so that no setup takes the secret of another.
 */
export function setupNamed(name: string): Setup {
  if (!/^[a-z][a-z\d_]*$/.test(name)) {
    throw new Error(
      `A setup cannot be called "${name}": use lower-case letters, digits and underscores in the contract's \`browser\`.`,
    )
  }
  return {
    name: `svc_${name}_setup`,
    purpose: `${name.replaceAll('_', ' ')} setup`,
    absent: 'The link has expired. Request another one.',
  }
}

/** Moves the setup secret from the answer into a cookie, for as long as it is valid. */
export const openSetup =
  (setup: Setup): Flow =>
  async (turn) => {
    const answer = await turn.next(turn.call)
    if (!answer.ok) return { answer }
    const { setupSecret, setupExpiresAt, ...shown } = await jsonOf(answer)
    if (typeof setupSecret !== 'string') return { answer: withBody(answer, shown) }
    const lifeMillis = Date.parse(String(setupExpiresAt)) - Date.now()
    const { email, returnPath } = shown
    const content = { setupSecret, email: textOf(email), returnPath: textOf(returnPath) }
    const cookie = await setSealed(turn, setup, { content, lifeMillis })
    return { answer: withBody(answer, shown), cookies: [cookie] }
  }

/** A setup may have no address. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Finishes a setup with the secret in the cookie, and signs in. After a refusal such as of a weak
 * password, the cookie stays. After an expired secret, it is removed, so that no page offers to
 * continue.
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
