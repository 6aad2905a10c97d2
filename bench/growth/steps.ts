import { createTestKey, type TestAuth, type TestUser, totpCode } from '@svc/auth/testing'
import { roleBeside } from './populate.ts'

type Call = Parameters<TestAuth['call']>

/**
 * One request whose work must not grow with the number of accounts. Everything it needs is made
 * beforehand.
 */
export interface Step {
  name: string
  prepare(auth: TestAuth): Promise<Call>
}

let made = 0

const operators = new WeakMap<TestAuth, Promise<TestUser>>()

/** One for each server: a new one for each list would be the newest account there. */
function operatorOf(auth: TestAuth) {
  const known = operators.get(auth) ?? auth.signedInUser({ role: 'admin' })
  operators.set(auth, known)
  return known
}

const listing = (name: string, query: object) => ({
  name: `list accounts ${name}`,
  async prepare(auth: TestAuth): Promise<Call> {
    const { key } = await operatorOf(auth)
    return ['listUsers', undefined, key, { query: { ...query, limit: 100 } }]
  },
})
const newAddress = () => `new${++made}@example.com`

function signedIn(name: string, callOf: (user: TestUser, auth: TestAuth) => Promise<Call> | Call) {
  return { name, prepare: async (auth: TestAuth) => callOf(await auth.signedInUser(), auth) }
}

async function begunBy(auth: TestAuth) {
  const { registration } = await createTestKey()
  const { body } = await auth.call('startDeviceAuth', registration)
  return body as { deviceCode: string; userCode: string }
}

async function answer(auth: TestAuth, ...call: Call) {
  const { status, body } = await auth.call(...call)
  if (status >= 300) throw new Error(`${call[0]} answers ${status}: ${JSON.stringify(body)}`)
  return body
}

export const steps: Step[] = [
  signedIn('a signed request', ({ key }) => ['getAuthSession', undefined, key]),
  {
    name: 'a signed request of an account with two roles',
    async prepare(auth) {
      const { key } = await auth.signedInUser({ otherRoles: [roleBeside.name] })
      return ['getAuthSession', undefined, key]
    },
  },
  signedIn('a signed request that changes something', ({ key }) => [
    'issueOneTimeToken',
    undefined,
    key,
  ]),
  {
    name: 'login',
    async prepare(auth) {
      const [{ email, password }, { registration }] = [
        await auth.createUser(),
        await createTestKey(),
      ]
      return ['login', { email, password, ...registration }]
    },
  },
  {
    name: 'login to an unknown address',
    async prepare() {
      const { registration } = await createTestKey()
      return ['login', { email: newAddress(), password: 'not a password', ...registration }]
    },
  },
  signedIn('list keys', ({ key }) => ['listKeys', {}, key]),
  signedIn('rotate a key', async ({ key }) => [
    'rotateKey',
    (await createTestKey()).registration,
    key,
  ]),
  signedIn('revoke another key', async (user, auth) => {
    const { keyId } = await auth.signIn(user)
    return ['revokeKey', { keyId }, user.key]
  }),
  signedIn('sign out everywhere', ({ key }) => ['revokeAllKeys', {}, key]),
  signedIn('log out', ({ key }) => ['logout', undefined, key]),
  {
    name: 'begin a device login',
    prepare: async () => ['startDeviceAuth', (await createTestKey()).registration],
  },
  signedIn('approve a device', async ({ key }, auth) => {
    const { userCode } = await begunBy(auth)
    return ['approveDeviceAuth', { userCode }, key]
  }),
  signedIn('collect an approved device login', async ({ key }, auth) => {
    const { userCode, deviceCode } = await begunBy(auth)
    await answer(auth, 'approveDeviceAuth', { userCode }, key)
    return ['pollDeviceAuth', { deviceCode }]
  }),
  {
    name: 'ask for a sign-up link',
    prepare: async () => ['requestSignupLink', { email: newAddress() }],
  },
  {
    name: 'ask for a reset link',
    prepare: async (auth) => ['requestPasswordReset', { email: (await auth.createUser()).email }],
  },
  {
    name: 'ask for a code',
    prepare: async (auth) => {
      const { email } = await auth.createUser()
      return ['sendVerificationCode', { target: email, targetType: 'email', purpose: 'login' }]
    },
  },
  signedIn('change the password', ({ key, password }) => [
    'changePassword',
    { currentPassword: password, newPassword: 'another horse battery staple' },
    key,
  ]),
  signedIn('change the profile', ({ key }) => ['updateUserProfile', { displayName: 'Ada' }, key]),
  signedIn('confirm an authenticator app', async ({ key, password }, auth) => {
    const { secret } = await answer(auth, 'mfaTotpEnroll', { currentPassword: password }, key)
    return ['mfaTotpConfirm', { code: totpCode(secret, auth.clock.now()) }, key]
  }),
  signedIn('ask for deletion', ({ key, password }) => [
    'requestAccountDeletion',
    { currentPassword: password },
    key,
  ]),
  listing('by address', { email: 'person4' }),
  listing('by number', { phone: '+4910000' }),
  listing('by username', { username: 'person4' }),
  listing('by name', { name: 'person 4' }),
  listing('by the time of creation', {}),
  listing('by the last sign-in', { lastLoginTo: '2100-01-01' }),
  listing('of a role', { role: 'user' }),
  listing('of a role beside another', { role: roleBeside.name }),
  listing('of a status', { status: 'suspended' }),
  {
    name: 'read an account',
    async prepare(auth) {
      const { key, userId } = await operatorOf(auth)
      return ['readUser', undefined, key, { params: { userId } }]
    },
  },
  {
    name: 'invite',
    async prepare(auth) {
      const { key } = await auth.signedInUser({ role: 'superadmin' })
      return ['createInvitation', { email: newAddress(), role: 'user' }, key]
    },
  },
]
