import { eq } from 'drizzle-orm'
import { done } from '../../test-answers.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../testing.ts'
import {
  createTestAuthenticator,
  type TestAuthenticator,
  type TestLies,
} from '../../webauthn/testing/test-authenticator.ts'
import { passkeys } from '../schema.ts'

/** What tests do with passkeys: a user with a browser, and an authenticator in it. */
export function passkeysOf(auth: Pick<TestAuth, 'auth' | 'call'>) {
  const { db } = auth.auth

  const registerOptions = (key?: TestKey, body: object = {}) =>
    auth.call('passkeyRegisterOptions', body, key)
  const registerVerify = (key: TestKey, response: object, more: object = {}) =>
    auth.call('passkeyRegisterVerify', { response, ...more }, key)
  const loginOptions = async () => (await auth.call('passkeyLoginOptions', {})).body

  /** Puts a passkey of an authenticator into an account. */
  async function enrol({ key }: Pick<TestUser, 'key'>, device = createTestAuthenticator()) {
    const options = await registerOptions(key)
    const response = device.register(options.body)
    const { passkeyId } = await done(registerVerify(key, response))
    return { device, passkeyId: String(passkeyId), credentialId: response.id }
  }

  /** Presents what an authenticator has signed, with a key that is new unless one is given. */
  async function present(response: object, key?: TestKey) {
    const { registration } = key ?? (await createTestKey())
    return auth.call('passkeyLoginVerify', { response, ...registration })
  }

  async function login(device: TestAuthenticator, lies: TestLies = {}, key?: TestKey) {
    return present(device.sign(await loginOptions(), lies), key)
  }

  async function rowOf(passkeyId: string) {
    const [row] = await db.select().from(passkeys).where(eq(passkeys.passkeyId, passkeyId))
    return row
  }

  return {
    registerOptions,
    registerVerify,
    loginOptions,
    enrol,
    present,
    login,
    rowOf,
    list: async ({ key }: Pick<TestUser, 'key'>) =>
      (await auth.call('listPasskeys', {}, key)).body.passkeys,
    revoke: ({ key }: Pick<TestUser, 'key'>, passkeyId: string, more: object = {}) =>
      auth.call('revokePasskey', { passkeyId, ...more }, key),
    mark: (passkeyId: string) =>
      db.update(passkeys).set({ secondFactor: true }).where(eq(passkeys.passkeyId, passkeyId)),
  }
}
