import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { createTestKey, startTestAuth, type TestUser } from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const root = await auth.signedInUser({ role: 'superadmin' })
const { registration } = await createTestKey()
const email = 'odd@example.com'
const password = 'correct horse battery staple'
const use = { target: email, targetType: 'email', purpose: 'login' }
const roleId = crypto.randomUUID()
const authenticator = createTestAuthenticator()
const register = async () =>
  authenticator.register({
    ...(await auth.call('passkeyRegisterOptions', {}, root.key)).body,
    excludeCredentials: [],
  })
const sign = async () => authenticator.sign((await auth.call('passkeyLoginOptions', {})).body)
const made = await register()
await auth.call('passkeyRegisterVerify', { response: made }, root.key)
const asserted = await sign()

/** Operations with a body or a query that is right in form. */
const operations = {
  login: { body: { email, password, ...registration, deviceName: 'd', platform: 'web' } },
  register: { body: { email, password, verificationToken: 'v', ...registration, metadata: {} } },
  sendVerificationCode: { body: use },
  verifyCode: { body: { ...use, code: '123456' } },
  listKeys: { body: { includeRevoked: true } },
  revokeKey: { body: { keyId: 'key-of-nobody' } },
  rotateKey: { body: { ...registration } },
  changePassword: { body: { currentPassword: password, newPassword: password } },
  updateUsername: { body: { username: 'name' } },
  updateLocale: { body: { locale: 'en' } },
  updateUserProfile: { body: { displayName: 'n', timezone: 'UTC', website: 'x', metadata: {} } },
  createAdminRole: {
    body: { name: 'odd', displayName: 'o', description: 'd', priority: 1, permissions: ['a:b'] },
  },
  updateAdminRole: { body: { name: 'odd', displayName: 'o' }, params: { roleId } },
  updateUserRole: { body: { role: 'user' }, params: { userId: roleId } },
  addUserRole: { body: { role: 'user' }, params: { userId: roleId } },
  passkeyRegisterVerify: { body: { response: made, label: 'l' } },
  passkeyLoginVerify: { body: { response: asserted, ...registration } },
  renamePasskey: { body: { passkeyId: roleId, label: 'l' } },
  revokePasskey: { body: { passkeyId: roleId, currentPassword: password } },
  mfaTotpEnroll: { body: { currentPassword: password } },
  mfaTotpConfirm: { body: { code: '123456' } },
  mfaMarkPasskey: { body: { passkeyId: roleId, secondFactor: true } },
  mfaStepUp: { body: { code: '123456' } },
  mfaVerify: { body: { challenge: 'c', recoveryCode: 'abcde-fghjk' } },
  setSessionBinding: { body: { mode: 'passkey', currentPassword: password } },
  sessionRenewOptions: { body: { expiredKeyId: 'key-of-nobody' } },
  sessionRenewVerify: {
    body: { expiredKeyId: root.key.keyId, response: asserted, ...registration },
  },
  checkUsername: { query: { username: 'name' } },
  listAuditEvents: {
    query: { actor: roleId, act: 'login', from: '2030-01-01', to: '2031-01-01', page: 1, limit: 1 },
  },
  listJobs: { query: { job: 'auth.notice', state: 'failed', limit: 1 } },
  retryJob: { body: { job: 'auth.notice' }, params: { jobId: roleId } },
  listStreams: {
    query: { userId: roleId, subject: roleId, after: '0-00000000-1', limit: 1 },
  },
} as const
type Name = keyof typeof operations

const marker = 'Mark3r'
const oddValues: unknown[] = [
  `${marker}\u0000`,
  `${marker}\ud800`,
  `${marker}\u202e\u2028\r\nx-injected: 1`,
  `${marker}' or 1=1; drop table svc_auth.users; --`,
  `${marker}%00%2e%2e%2f`,
  marker.repeat(20_000),
  'ﷺ'.repeat(1024),
  { $ne: marker },
  { toString: marker, length: 3 },
  [marker, [marker]],
  Number.MAX_SAFE_INTEGER,
  -1.5e300,
  true,
  null,
  '',
]
const oddQueries = [
  `${marker}\u0000`,
  `${marker}\ud800`.toWellFormed(),
  marker.repeat(1000),
  '0000-01-01',
  '0001-01-01T00:00+23:59',
  '9999-12-31T23:59-23:59',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '',
]

async function ask(name: Name, input: { body?: unknown; query?: Record<string, unknown> }) {
  const given = operations[name]
  const { params, query } = { params: {}, query: {}, ...given, ...input }
  const body = input.body ?? ('body' in given ? given.body : undefined)
  return auth.call(name, body, (root satisfies TestUser).key, { params, query })
}

describe.each(orFew(Object.keys(operations) as Name[], 12))('%s', (name) => {
  const given: { body?: object; query?: object } = operations[name]
  const part = 'body' in given ? 'body' : 'query'
  const members = Object.keys(given[part] ?? {})

  it.each(members)(
    'refuses an odd %s as the caller’s own fault, and repeats nothing of it',
    async (member) => {
      for (const value of part === 'body' ? oddValues : oddQueries) {
        const answer = await ask(name, { [part]: { ...given[part], [member]: value } })
        const about = JSON.stringify([member, value]).slice(0, 60)
        expect([about, answer.status < 500]).toEqual([about, true])
        if (answer.status >= 400) expect(JSON.stringify(answer.body)).not.toContain(marker)
        expect(answer.headers.get('x-injected')).toBeNull()
      }
    },
  )
})

/** CBOR: arrays in arrays, text and bytes and maps that end too soon, and bytes without end. */
const oddBytes = ['gYGB'.repeat(2000), 'ev____8', '-_8f_____', 'uv____8', 'AAAA'.repeat(500)]

/** A response that answers a challenge that still lives, in one member of which something else stands. */
async function withOdd(fresh: typeof register | typeof sign, member: string, value: string) {
  const given = await fresh()
  return { ...given, response: { ...given.response, [member]: value } }
}

it.each([
  ['passkeyRegisterVerify', register, 'attestationObject'],
  ['passkeyLoginVerify', sign, 'authenticatorData'],
  ['passkeyLoginVerify', sign, 'signature'],
] as const)(
  'bytes that are none of an authenticator are refused: %s',
  async (name, fresh, member) => {
    for (const value of oddBytes) {
      const response = await withOdd(fresh, member, value)
      const { status } = await ask(name, { body: { ...operations[name].body, response } })
      expect([400, 401]).toContain(status)
    }
  },
)

it.each(['roleId', 'userId'])('an odd %s in the path names no account', async (member) => {
  for (const id of ['%00', "' or 1=1", marker.repeat(100), '%F0%9F', '..%2f..', 'null']) {
    const path = member === 'roleId' ? `roles/${id}` : `users/${id}/role`
    const method = 'PATCH'
    const url = `${auth.url}/_auth/admin/${path}`
    const body = JSON.stringify({ role: 'user', displayName: 'n' })
    const signed = await auth.signerOf(root.key)({ method, url, body })
    const headers = { ...signed, 'content-type': 'application/json' }
    const answer = await fetch(url, { method, body, headers })
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain(marker)
  }
})
