import { randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { defineRouter, route } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { createAuthApi } from '../auth-api.ts'
import { authContract } from '../auth-contract.ts'
import { optionalAuth } from '../authenticate/authenticate.ts'
import { getOptionalAuth, getUserId } from '../caller/caller.ts'
import type { Declared } from '../capability/contract.ts'
import { authContracts } from '../contracts.ts'
import { deviceKeys } from '../keys/schema.ts'
import { mobileContract } from '../mobile-contract.ts'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'
import {
  canonicalJson,
  ProofError,
  type ProofErrorCode,
  proofInput,
  proofSigner,
} from './client.ts'
import { inputOf, type Proved, proofOf } from './testing/test-proof.ts'

const router = defineRouter({
  me: route.post('/me').handler((c) => getUserId(c)),
  maybe: route
    .post('/maybe')
    .use([optionalAuth])
    .handler((c) => ({ userId: getOptionalAuth(c)?.userId ?? null })),
})
const auth = await startTestAuth({ router })
afterAll(auth.stop)
const other = await auth.secondInstance()
const { db } = auth.auth
const { userId, key } = await auth.signedInUser()

interface Given extends Partial<Proved> {
  at?: Pick<typeof auth, 'url'>
}

const proved = (given: Given): Proved => ({
  key,
  clientId: userId,
  now: auth.clock.now(),
  nonce: randomUUID(),
  ...given,
})

async function ask({ at = auth, ...given }: Given = {}) {
  const { path = '/_auth/keys/list', method = 'POST', body = '{}' } = given
  const headers = await proofOf(proved(given))
  const answer = await fetch(`${at.url}${path}`, {
    method,
    headers,
    ...(method !== 'GET' && { body }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null }
}

/** Null for what is taken. */
async function codeOf(given: Given): Promise<string | null> {
  const { status, body } = await ask(given)
  return status === 200 ? null : body.error.code
}

const refused = (code: ProofErrorCode) => ({
  status: new ProofError(code).status,
  body: { error: { code, message: new ProofError(code).message, requestId: expect.any(String) } },
})

async function expectRefused(code: ProofErrorCode, given: Given) {
  const { status, body } = await ask(given)
  expect({ status, body }).toEqual(refused(code))
}

const setKey = (keyId: string, values: Partial<typeof deviceKeys.$inferInsert>) =>
  db.update(deviceKeys).set(values).where(eq(deviceKeys.keyId, keyId))

const setStatus = (owner: string, status: 'active' | 'suspended') =>
  db.update(users).set({ status }).where(eq(users.userId, owner))

describe('a proof', () => {
  it('stands for its device where the contract asks for one (A-331)', async () => {
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body.keys).toEqual([expect.objectContaining({ keyId: key.keyId })])
    await auth.auth.keyUse.flush()
    const [row] = await auth.keysOf(userId)
    expect(row?.lastUsedAt).toEqual(auth.clock.now())
  })

  it('is in the place of a token, which counts there too (A-331)', async () => {
    expect((await auth.call('listKeys', {}, key)).status).toBe(200)
    expect((await auth.call('listKeys', {})).body.error.code).toBe('UnauthorizedError')
  })

  it('is what proofSigner makes for a typed client, which asks for the time when its own is off (A-331, A-207)', async () => {
    auth.clock.set(new Date(Date.now() + 600_000))
    other.clock.set(auth.clock.now())
    const signProofs = proofSigner(key, { clientId: userId })
    const given = { baseUrl: auth.url, writeBody: canonicalJson }
    const api = createAuthApi({ ...given, sign: signProofs })
    const none = { enrolled: false, methods: [], recoveryCodesRemaining: 0 }
    expect(await api.mfaStatusOfDevice.call({ body: {} })).toEqual(none)
    await expect(api.getAuthSession.call()).rejects.toMatchObject({ name: 'PROFILE_REJECTED' })
    expect(() => proofSigner({ ...key, algorithm: 'RS256' }, { clientId: userId })).toThrow('ES256')
    const withQuery = { method: 'POST', url: `${auth.url}/a?b=c` }
    await expect(signProofs(withQuery)).rejects.toThrow('query')
  })

  it('is asked for by POSTs that carry a body, and by nothing else (A-331, A-206)', () => {
    const placed = Object.values<Declared>(authContract).filter(
      ({ operation }) => operation.contract?.proof,
    )
    const names = placed.map(({ operation }) => operation.contract?.name ?? '')
    expect(names.toSorted()).toEqual([
      'auth.device.approve',
      'auth.device.deny',
      'auth.device.info',
      'auth.keys.list',
      'auth.keys.revoke',
      'auth.keys.revokeAll',
      'auth.keys.rotate',
      'auth.mfa.status',
    ])
    for (const { operation, access } of placed) {
      expect([operation.method, Object.keys(operation.input)]).toEqual(['POST', ['body']])
      expect(['any-key', 'bearer', 'step-up', 'fresh']).toContain(access)
    }
  })

  it('is kept with the act that it asked for', async () => {
    const user = await auth.signedInUser()
    const body = canonicalJson({ keyId: (await auth.signIn(user)).keyId })
    const path = '/_auth/keys/revoke'
    const given = proved({ key: user.key, clientId: user.userId, path, body })
    expect(await codeOf(given)).toBeNull()
    const acts = await db.select().from(auditEvents).where(eq(auditEvents.actor, user.userId))
    const { proof } = acts.find(({ act }) => act === 'key.revoked') ?? {}
    expect(proof?.slice(0, -129)).toBe(inputOf(given))
    expect(proof).toMatch(/\n[\da-f]{128}$/)
  })

  it('has an input that no field can forge a line of (A-332)', () => {
    const fields = { method: 'POST', path: '/', clientId: 'c', keyId: 'k', nonce: 'n' }
    const rest = { issuedAtMillis: 1, bodySha256: null }
    const input = proofInput({ ...fields, ...rest })
    expect(input).toBe(`clientProofV1\nPOST\n/\nc\nk\nn\n1\n${'0'.repeat(64)}`)
    for (const name of Object.keys(fields)) {
      for (const control of ['\n', '\0', '\u001f', '\u007f', '\u0085']) {
        const forged = { ...fields, ...rest, [name]: `a${control}b` }
        expect(() => proofInput(forged)).toThrow(TypeError)
      }
    }
  })
})

describe('a proof does not hold', () => {
  it.each([
    ['another profile', { 0: 'clientProofV2' }],
    ['another method', { 1: 'PUT' }],
    ['another path', { 2: '/_auth/keys/revoke' }],
    ['another owner', { 3: randomUUID() }],
    ['another key', { 4: 'another-key' }],
    ['another nonce', { 5: randomUUID() }],
    ['another moment', { 6: '1' }],
    ['another body', { 7: '0'.repeat(64) }],
    ['a line more', { 8: '' }],
  ])('that was signed for %s (A-332)', async (_what, signed) => {
    await expectRefused('PROOF_INVALID', { signed })
  })

  it('for another client than the owner of its key, though it has signed that (A-332)', async () => {
    const stranger = await auth.signedInUser()
    await expectRefused('PROOF_INVALID', { clientId: stranger.userId })
    await expectRefused('PROOF_INVALID', { key: stranger.key })
    await expectRefused('PROOF_INVALID', { clientId: userId.toUpperCase() })
  })

  it('of a key that is unknown, waits, or is for RS256 (A-332)', async () => {
    await expectRefused('PROOF_INVALID', { key: await createTestKey() })
    const user = await auth.signedInUser()
    await setKey(user.key.keyId, { state: 'pending' })
    await expectRefused('PROOF_INVALID', { key: user.key, clientId: user.userId })
    const rsa = await createTestKey('RS256')
    const { email, userId: clientId } = await auth.createUser()
    await auth.call('login', { email, password: testPassword, ...rsa.registration })
    await expectRefused('PROOF_INVALID', { clientId, headers: { 'x-svc-key-id': rsa.keyId } })
  })

  it('with a signature in another form (A-332)', async () => {
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key.privateKey))
    const given = proved({})
    const signed = (dsaEncoding: 'der' | 'ieee-p1363') =>
      sign('sha256', Buffer.from(inputOf(given)), {
        key: pkcs8,
        format: 'der',
        type: 'pkcs8',
        dsaEncoding,
      })
    const plain = signed('ieee-p1363')
    const others = [
      plain
        .toString('hex')
        .toUpperCase()
        .replace(/^[\d]+$/, 'A'),
      signed('der').toString('hex'),
      plain.toString('base64url'),
      `${plain.toString('hex')}00`,
      plain.toString('hex').slice(2),
      '0'.repeat(128),
    ]
    for (const proof of others) {
      await expectRefused('PROOF_INVALID', { ...given, headers: { 'x-svc-proof': proof } })
    }
    const headers = { 'x-svc-proof': plain.toString('hex') }
    expect(await codeOf({ ...given, headers })).toBeNull()
  })

  it.each([
    ['x-svc-client-id', ['', 'a b', 'x'.repeat(65), 'é']],
    ['x-svc-key-id', ['', 'short', 'x'.repeat(65), 'key/../id']],
    ['x-svc-nonce', ['', 'x'.repeat(15), 'x'.repeat(129), `${'x'.repeat(16)} y`, 'é'.repeat(16)]],
    ['x-svc-issued-at', ['', '01', '+1', '1.5', '1e3', '-1', '9'.repeat(16), 'now']],
    ['x-svc-proof', ['', 'ab', 'g'.repeat(128)]],
  ])('with %s in another form, or without it (A-332)', async (name, values) => {
    for (const value of values) await expectRefused('PROOF_INVALID', { headers: { [name]: value } })
  })

  it('with a header that is there twice (A-332)', async () => {
    const names = ['auth-profile', 'client-id', 'key-id', 'nonce', 'issued-at', 'proof']
    for (const name of names.map((each) => `x-svc-${each}`)) {
      const headers = await proofOf(proved({}))
      const twice = { ...headers, [name]: [headers[name] ?? '', headers[name] ?? ''] }
      const sent = request(`${auth.url}/_auth/keys/list`, { method: 'POST', headers: twice })
      const answered = once(sent, 'response')
      sent.end('{}')
      const [incoming] = await answered
      expect([name, await json(incoming)]).toEqual([name, refused('PROOF_INVALID').body])
    }
  })

  it('a second time, on any instance; a nonce is a client’s own (A-332)', async () => {
    const nonce = randomUUID()
    const given = proved({ nonce })
    expect(await codeOf({ ...given, at: other })).toBeNull()
    await expectRefused('PROOF_REPLAYED', given)
    await expectRefused('PROOF_REPLAYED', { ...given, at: other })
    // Signed again it has the same nonce, also for another key of the client.
    const again = await auth.signedInUser()
    await setKey(again.key.keyId, { userId })
    await expectRefused('PROOF_REPLAYED', { nonce, key: again.key })
    await setKey(again.key.keyId, { userId: again.userId })
    const stranger = { key: again.key, clientId: again.userId, nonce }
    expect(await codeOf(stranger)).toBeNull()
  })

  it('that was refused spends no nonce (A-332)', async () => {
    const nonce = randomUUID()
    await expectRefused('PROOF_INVALID', { nonce, signed: { 7: '' } })
    await expectRefused('PROOF_EXPIRED', { nonce, issuedAt: 0 })
    expect(await codeOf({ nonce })).toBeNull()
  })

  it('five minutes after it was issued, nor five seconds before (A-332)', async () => {
    const at = (offset: number) => ({ issuedAt: auth.clock.now().getTime() + offset })
    const codes = [-300_000, -299_999, 5_000, 5_001].map((offset) => codeOf(at(offset)))
    expect(await Promise.all(codes)).toEqual(['PROOF_EXPIRED', null, null, 'PROOF_EXPIRED'])
  })

  it('of a key that has ended (A-331)', async () => {
    const user = await auth.signedInUser()
    const given = { key: user.key, clientId: user.userId }
    await setKey(user.key.keyId, { expiresAt: auth.clock.now() })
    await expectRefused('SESSION_REVOKED', given)
    await setKey(user.key.keyId, { expiresAt: new Date(auth.clock.now().getTime() + 1) })
    expect(await codeOf(given)).toBeNull()
    const path = '/_auth/keys/revoke'
    const body = canonicalJson({ keyId: user.key.keyId })
    expect((await ask({ ...given, path, body })).body).toMatchObject({ selfRevoked: true })
    await expectRefused('SESSION_REVOKED', given)
  })
})

describe('a request is not of the profile', () => {
  it.each([
    ['white space', '{ }'],
    ['a line at its end', '{}\n'],
    ['the keys in another order', '{"keyId":"b","includeRevoked":true}'],
    ['a key twice', '{"a":1,"a":1}'],
    ['a fraction', '{"a":1.5}'],
    ['an escape that is not needed', String.raw`{"a":"\u0041"}`],
    ['nothing in it', ''],
    ['no JSON', '{'],
    ['65,537 bytes', `"${'a'.repeat(65_535)}"`],
  ])('whose body has %s (A-332)', async (_what, body) => {
    await expectRefused('PROFILE_REJECTED', { body })
  })

  it('with another type, an encoding or a query (A-332)', async () => {
    for (const type of ['text/plain', 'application/problem+json', '']) {
      await expectRefused('PROFILE_REJECTED', { headers: { 'content-type': type } })
    }
    await expectRefused('PROFILE_REJECTED', { headers: { 'content-encoding': 'identity' } })
    await expectRefused('PROFILE_REJECTED', { path: '/_auth/keys/list?a=b' })
    expect(
      await codeOf({ headers: { 'content-type': 'application/json; charset=utf-8' } }),
    ).toBeNull()
  })

  it('with a token beside the proof, or another profile (A-332)', async () => {
    const url = `${auth.url}/_auth/keys/list`
    const token = await auth.signerOf(key)({ method: 'POST', url, body: '{}' })
    await expectRefused('PROFILE_REJECTED', { headers: token })
    await expectRefused('PROFILE_REJECTED', { headers: { authorization: 'Basic' } })
    await expectRefused('PROFILE_REJECTED', { headers: { 'x-svc-auth-profile': 'clientProofV2' } })
  })

  it('where no proof is asked for, be it of an application (A-331)', async () => {
    await expectRefused('PROFILE_REJECTED', { method: 'GET', path: '/_auth/mfa/status' })
    await expectRefused('PROFILE_REJECTED', { path: '/_auth/passkeys/list' })
    await expectRefused('PROFILE_REJECTED', { path: '/_auth/logout' })
    await expectRefused('PROFILE_REJECTED', { path: '/me' })
    await expectRefused('PROFILE_REJECTED', { path: '/maybe' })
  })
})

describe('of several faults', () => {
  it('the first in the order of the protocol is told (A-332)', async () => {
    const user = await auth.signedInUser()
    const revoked = await auth.signIn(user)
    await setKey(revoked.keyId, { state: 'revoked' })
    const nonce = randomUUID()
    const own = { key: user.key, clientId: user.userId }
    expect(await codeOf({ ...own, nonce })).toBeNull()
    await setStatus(user.userId, 'suspended')
    // Each has the faults of those before it, and one more.
    const badlySigned = { ...own, signed: { 1: 'PUT' } }
    const replayed = { ...badlySigned, nonce }
    const late = { ...replayed, issuedAt: 0 }
    const ended = { ...late, key: revoked }
    const spaced = { ...ended, body: '{ }' }
    const foreign = { 'x-svc-auth-profile': 'clientProofV2' }
    const malformed = { ...foreign, 'x-svc-proof': 'no signature' }
    const signedTwice = { ...malformed, authorization: 'Bearer x' }
    const headers = [foreign, malformed, signedTwice].map((each) => ({ ...spaced, headers: each }))
    const given = [own, badlySigned, replayed, late, ended, spaced, ...headers]
    expect(await Promise.all(given.map(codeOf))).toEqual([
      'AccountDisabledError',
      'PROOF_INVALID',
      'PROOF_REPLAYED',
      'PROOF_EXPIRED',
      'SESSION_REVOKED',
      'PROFILE_REJECTED',
      'PROFILE_REJECTED',
      'PROOF_INVALID',
      'PROFILE_REJECTED',
    ])
  })

  it('those of the account come last, in the ordinary form, and have spent the nonce (A-332)', async () => {
    const user = await auth.signedInUser()
    const given = proved({ key: user.key, clientId: user.userId })
    await setStatus(user.userId, 'suspended')
    const { status, body } = await ask(given)
    expect([status, body.__type]).toEqual([403, 'AccountDisabledError'])
    await setStatus(user.userId, 'active')
    await expectRefused('PROOF_REPLAYED', given)
  })
})

describe('the version of the contract', () => {
  const version = (value: string) => ({ 'x-svc-client-contract-version': value })

  it('is told by every answer of the contract, refusals too', async () => {
    const codes = await Promise.all([ask(), ask({ body: ' ' }), auth.call('login', {})])
    expect(codes.map(({ status }) => status)).toEqual([200, 400, 400])
    for (const { headers } of codes) {
      expect(headers.get('x-svc-server-contract-version')).toBe('0.13.0')
      expect(headers.get('x-svc-supported-contract-range')).toBe('>=0.13.0 <0.14.0')
    }
    const { headers } = await auth.call('getAuthSession', undefined, key)
    expect(headers.get('x-svc-server-contract-version')).toBeNull()
  })

  it('of an app may be another patch, and nothing else', async () => {
    for (const value of ['0.13.0', '0.13.99']) {
      expect(await codeOf({ headers: version(value) })).toBeNull()
    }
    for (const value of ['0.12.0', '0.14.0', '1.13.0', '0.13', 'latest', '0.13.0, 0.13.0']) {
      await expectRefused('CONTRACT_UNSUPPORTED', { headers: version(value) })
    }
  })

  it('is not that of the app, which is logged and decides nothing', async () => {
    const long = 'x'.repeat(1000)
    const headers = { 'x-svc-client-kind': 'ios', 'x-svc-client-version': `7 ${long}` }
    expect(await codeOf({ headers })).toBeNull()
    const logged = auth.logged.find(({ clientKind }) => clientKind === 'ios')
    expect(logged?.clientVersion).toBe(`7 ${long}`.slice(0, 64))
  })

  it('is looked at before anything else, also to sign in', async () => {
    const headers = version('0.4.0')
    const { status, body } = await auth.call('login', {}, undefined, { headers })
    expect({ status, body }).toEqual(refused('CONTRACT_UNSUPPORTED'))
    await expectRefused('CONTRACT_UNSUPPORTED', { headers: { ...headers, 'x-svc-proof': '' } })
  })
})

it('refuses as the exported contract says', () => {
  const refusals = (mobileContract(authContracts).profile?.refusals ?? {}) as Record<
    string,
    { status: number }
  >
  for (const [code, { status }] of Object.entries(refusals)) {
    expect(new ProofError(code as ProofErrorCode).status).toBe(status)
  }
  expect(Object.keys(refusals)).toHaveLength(6)
})
