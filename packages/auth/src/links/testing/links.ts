import { createTestKey, type TestAuth, type TestKey } from '../../testing.ts'

/** The two flows in which a mailed link becomes a setup session that sets one password. */
export const flows = {
  signup: {
    request: 'requestSignupLink',
    confirm: 'confirmSignupLink',
    complete: 'completeSignup',
    template: 'signup-link',
  },
  reset: {
    request: 'requestPasswordReset',
    confirm: 'confirmPasswordReset',
    complete: 'completePasswordReset',
    template: 'password-reset',
  },
} as const

export const chosenPassword = 'a password chosen by mail'

/** The steps of a flow, as the reader of an address's mail takes them. */
export function stepsOf(auth: TestAuth, flow: keyof typeof flows) {
  const { request, confirm, complete, template } = flows[flow]
  const ask = (email: string, returnPath?: string) =>
    auth.call(request, { email, ...(returnPath !== undefined && { returnPath }) })
  const open = (token: string) => auth.call(confirm, { token })

  /** The token of a link that is mailed now. */
  const token = (email: string) => auth.linkSentBy(() => ask(email), email, template)

  /** The secret of a setup session that is opened now. */
  async function secret(email: string): Promise<string> {
    const { status, body } = await open(await token(email))
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.setupSecret
  }

  /** Sets a password, with a new key unless one is given. */
  async function finish(
    setupSecret: string,
    { password = chosenPassword, key }: { password?: string; key?: TestKey } = {},
  ) {
    const { registration } = key ?? (await createTestKey())
    return auth.call(complete, { setupSecret, password, ...registration })
  }

  return { ask, open, finish, token, secret }
}
