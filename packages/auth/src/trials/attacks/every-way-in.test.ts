import { afterAll, describe, expect, it } from 'vitest'
import { authContract } from '../../auth-contract.ts'
import { bindingOf } from '../../key-binding/testing/binding.ts'
import {
  type EnrolledUser,
  enrolledUser,
  withKeyring,
} from '../../mfa/testing/test-second-factor.ts'
import { registerOAuthProvider } from '../../providers/providers.ts'
import { showingTo } from '../../social/native/testing/test-native.ts'
import { done } from '../../test-answers.ts'
import {
  createTestKey,
  startTestAuth,
  type TestAnswer,
  type TestKey,
  type TestUser,
} from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'
import { addressProvider, browserOf } from '../test-provider.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(auth.stop)
const { call } = auth
const binding = bindingOf(auth)
registerOAuthProvider(addressProvider)
const browser = browserOf(auth)

type Visitor = TestUser & Partial<EnrolledUser>

/** Signs somebody in with a key. */
type Way = (user: Visitor, key: TestKey) => Promise<TestAnswer>

interface Passkey {
  checksUser: boolean
  isMarked?: boolean
}

/** Put in by the device that is signed in, which has stepped up where there is a factor. */
async function passkeyOf(user: Visitor, { checksUser, isMarked = false }: Passkey) {
  const authenticator = await binding.enrol(
    user.key,
    createTestAuthenticator({ hasUserVerification: checksUser }),
  )
  if (isMarked && user.code) {
    const { passkeys } = await done(call('listPasskeys', {}, user.key))
    const { passkeyId } = passkeys[0]
    await done(call('mfaMarkPasskey', { passkeyId, secondFactor: true }, user.key))
  }
  return authenticator
}

const byPasskey =
  (traits: Passkey): Way =>
  async (user, { registration }) => {
    const authenticator = await passkeyOf(user, traits)
    const options = await done(call('passkeyLoginOptions', {}))
    const response = authenticator.sign(options)
    return call('passkeyLoginVerify', { response, ...registration })
  }

const renewal =
  (traits: Passkey): Way =>
  async (user, next) => {
    const authenticator = await passkeyOf(user, traits)
    await done(binding.bind(user.key))
    const response = await binding.sign(user.key, authenticator)
    return binding.renew(user.key, { next, response })
  }

async function resetPassword(user: Visitor, { registration }: TestKey) {
  const ask = () => call('requestPasswordReset', { email: user.email })
  const token = await auth.linkSentBy(ask, user.email, 'password-reset')
  const { setupSecret } = await done(call('confirmPasswordReset', { token }))
  const password = 'a quite different pass phrase'
  return call('completePasswordReset', { setupSecret, password, ...registration })
}

async function byApproval(user: Visitor, { registration }: TestKey) {
  const { deviceCode, userCode } = await done(call('startDeviceAuth', registration))
  await done(call('approveDeviceAuth', { userCode }, user.key))
  return call('pollDeviceAuth', { deviceCode })
}

async function byKeySentAhead({ email }: Visitor, key: TestKey) {
  await browser.comeBack(await browser.stateFor(key), email)
  return call('finalize', {}, key)
}

async function byKeyGivenLater({ email }: Visitor, { registration }: TestKey) {
  const pendingToken = await browser.pendingTokenOf(email)
  return call('finalize', { pendingToken, ...registration })
}

/** With what a device answers that the account has never used, where there is a second factor. */
const ways: Record<string, { way: Way; owed: 202 | 200; known?: false }> = {
  'a password': {
    way: ({ email, password }, { registration }) =>
      call('login', { email, password, ...registration }),
    owed: 202,
  },
  'a one-time code': {
    way: async ({ email }, { registration }) => {
      const verificationToken = await auth.verificationToken(email)
      return call('login', { email, verificationToken, ...registration })
    },
    owed: 202,
  },
  'a passkey that has checked nobody': { way: byPasskey({ checksUser: false }), owed: 202 },
  'a passkey that has checked its user': { way: byPasskey({ checksUser: true }), owed: 200 },
  'a passkey that is marked as the factor': {
    way: byPasskey({ checksUser: false, isMarked: true }),
    owed: 200,
  },
  // A reset ends every key, and a renewal makes a new one: no device is known to them.
  'a mailed reset': { way: resetPassword, owed: 202, known: false },
  'a provider, with the key sent ahead': { way: byKeySentAhead, owed: 202 },
  'a provider, with the key given at the end': { way: byKeyGivenLater, owed: 202 },
  'an id token of a provider': {
    way: ({ email: idToken }, key) => showingTo(auth)(addressProvider.id, key, { idToken }),
    owed: 202,
  },
  'an approval': { way: byApproval, owed: 200 },
  'a renewal that has checked nobody': {
    way: renewal({ checksUser: false }),
    owed: 202,
    known: false,
  },
  'a renewal that has checked its user': {
    way: renewal({ checksUser: true }),
    owed: 200,
    known: false,
  },
}

const signs = async (key: TestKey) => (await call('getAuthSession', undefined, key)).status === 200

describe.each(Object.entries(ways))('%s', (_, { way, owed, known = true }) => {
  it('signs a new device in where there is no second factor (A-166)', async () => {
    const key = await createTestKey()
    const answer = await way(await auth.signedInUser(), key)
    expect(answer).toMatchObject({ status: 200, body: { mfaRequired: false } })
    expect(await signs(key)).toBe(true)
  })

  it(`answers a new device with ${owed} where there is one (A-168, A-169)`, async () => {
    const user = await enrolledUser(auth)
    const key = await createTestKey()
    const { status, body } = await way(user, key)
    expect([status, await signs(key)]).toEqual([owed, owed === 200])
    if (owed === 200) return
    expect(body).toEqual({
      mfaRequired: true,
      challenge: { secret: expect.any(String), expiresAtMillis: expect.any(Number) },
      ...(body.keyId && { keyId: key.keyId }),
      ...('returnUrl' in body && { returnUrl: '/' }),
      ...('isNewUser' in body && { isNewUser: false }),
    })
    const { secret: challenge } = body.challenge
    const verified = await call('mfaVerify', { challenge, code: user.code() })
    expect(verified).toMatchObject({ status: 200, body: { mfaRequired: false, keyId: key.keyId } })
    expect(await signs(key)).toBe(true)
  })

  if (!known) return
  it('asks a device for nothing that the account signs with already (A-170)', async () => {
    const user = await enrolledUser(auth)
    const answer = await way(user, user.key)
    expect(answer).toMatchObject({ status: 200, body: { mfaRequired: false } })
    expect(await signs(user.key)).toBe(true)
  })
})

/** Who takes a key, and why it owes no second factor where it is not in the table. */
const takesKey = {
  login: 'above',
  passkeyLoginVerify: 'above',
  completePasswordReset: 'above',
  sessionRenewVerify: 'above',
  finalize: 'above',
  oauthNative: 'above',
  startDeviceAuth: 'above, once it is approved',
  start: 'above, once it is finalized',
  getGoogleOAuthUrl: 'above, once it is finalized',
  getProviderOAuthUrl: 'above, once it is finalized',
  rotateKey: 'the key that signs has got in',
  createMachineKey:
    'it is a machine’s, which whoever has stepped up gives a part of what they may do',
  openSupportSession: 'it is an operator’s, with which no credential and no factor is changed',
  register: 'the account is new',
  completeSignup: 'the account is new',
  acceptInvitation: 'the account is new',
}

it('is every operation that takes a key', () => {
  const takers = Object.entries(authContract).filter(([, { operation }]) => {
    const { body } = operation.input as { body?: { properties?: object } }
    return 'publicKey' in (body?.properties ?? {})
  })
  expect(takers.map(([name]) => name).toSorted()).toEqual(Object.keys(takesKey).toSorted())
})
