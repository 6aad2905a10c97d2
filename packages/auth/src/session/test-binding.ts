import { expect } from 'vitest'
import type { TestAnswer, TestAuth, TestKey, TestUser } from '../testing.ts'
import { createTestKey } from '../testing.ts'
import { createTestAuthenticator, type TestAuthenticator } from '../webauthn/test-authenticator.ts'

export interface BoundUser extends TestUser {
  readonly authenticator: TestAuthenticator
}

export interface Renewal {
  /** Empty where the key itself signs. */
  signer?: TestKey | undefined
  next?: TestKey
  response: unknown
}

/** What tests of bound sessions do again and again. */
export function bindingOf({ call, signedInUser }: Pick<TestAuth, 'call' | 'signedInUser'>) {
  /** Puts a passkey into the account. */
  async function enrol(key: TestKey, authenticator = createTestAuthenticator()) {
    const options = await right(call('passkeyRegisterOptions', {}, key))
    const response = authenticator.register(options)
    await right(call('passkeyRegisterVerify', { response }, key))
    return authenticator
  }

  async function boundUser(given?: TestAuthenticator): Promise<BoundUser> {
    const user = await signedInUser()
    const authenticator = await enrol(user.key, given)
    await right(bind(user.key))
    return { ...user, authenticator }
  }

  const bind = (key: TestKey, currentPassword?: string) =>
    call('setSessionBinding', { mode: 'passkey', currentPassword }, key)

  const unbind = (key: TestKey, response?: unknown) =>
    call('setSessionBinding', { mode: 'none', response }, key)

  const askToUnbind = (key: TestKey) => right(call('sessionBindingDisableOptions', {}, key))

  const askToRenew = ({ keyId }: TestKey, signer?: TestKey) =>
    call('sessionRenewOptions', { expiredKeyId: keyId }, signer)

  /** What an authenticator signs for a renewal that is asked for now. */
  const sign = async (key: TestKey, by: TestAuthenticator, lies = {}) =>
    by.sign(await right(askToRenew(key, key)), lies)

  async function renew(key: TestKey, { signer = key, next, response }: Renewal) {
    const { registration } = next ?? (await createTestKey())
    const body = { expiredKeyId: key.keyId, response, ...registration }
    return call('sessionRenewVerify', body, signer)
  }

  return { enrol, boundUser, bind, unbind, askToUnbind, askToRenew, sign, renew }
}

async function right(asked: Promise<TestAnswer>) {
  const { status, body } = await asked
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

export const refusedBy = (code: string, status: number) => ({
  status,
  body: expect.objectContaining({ error: expect.objectContaining({ code }) }),
})
