import { done } from '../../test-answers.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../testing.ts'
import {
  createTestAuthenticator,
  type TestAuthenticator,
} from '../../webauthn/testing/test-authenticator.ts'

export interface BoundUser extends TestUser {
  readonly authenticator: TestAuthenticator
}

export interface Renewal {
  /** Empty where the key itself signs. */
  signer?: TestKey | undefined
  next?: TestKey
  response: unknown
}

type Kit = Pick<TestAuth, 'call' | 'clock' | 'signedInUser'>

/** What tests of bound sessions do again and again. */
export function bindingOf({ call, clock, signedInUser }: Kit) {
  /** Puts a passkey into the account. */
  async function enrol(key: TestKey, authenticator = createTestAuthenticator()) {
    const options = await done(call('passkeyRegisterOptions', {}, key))
    const response = authenticator.register(options)
    await done(call('passkeyRegisterVerify', { response }, key))
    return authenticator
  }

  async function boundUser(given?: TestAuthenticator): Promise<BoundUser> {
    const user = await signedInUser()
    const authenticator = await enrol(user.key, given)
    await done(bind(user.key))
    return { ...user, authenticator }
  }

  /** A user whose session has just expired, and what renews it. */
  async function expiredUser(given?: TestAuthenticator) {
    const user = await boundUser(given)
    const { keyExpiresAtMillis } = await done(call('getSessionBinding', undefined, user.key))
    clock.set(new Date(keyExpiresAtMillis))
    return { ...user, response: () => sign(user.key, user.authenticator) }
  }

  const bind = (key: TestKey, currentPassword?: string) =>
    call('setSessionBinding', { mode: 'passkey', currentPassword }, key)

  const unbind = (key: TestKey, response?: unknown) =>
    call('setSessionBinding', { mode: 'none', response }, key)

  const askToUnbind = (key: TestKey) => done(call('sessionBindingDisableOptions', {}, key))

  const askToRenew = ({ keyId }: TestKey, signer?: TestKey) =>
    call('sessionRenewOptions', { expiredKeyId: keyId }, signer)

  /** What an authenticator signs for a renewal that is asked for now. */
  const sign = async (key: TestKey, by: TestAuthenticator, lies = {}) =>
    by.sign(await done(askToRenew(key, key)), lies)

  async function renew(key: TestKey, { signer = key, next, response }: Renewal) {
    const { registration } = next ?? (await createTestKey())
    const body = { expiredKeyId: key.keyId, response, ...registration }
    return call('sessionRenewVerify', body, signer)
  }

  return { enrol, boundUser, expiredUser, bind, unbind, askToUnbind, askToRenew, sign, renew }
}
