import { createHash, generateKeyPairSync } from 'node:crypto'
import { requestSigner } from '@svc/core/client'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthApi, KeyAlgorithm } from '../index.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { deviceKeys } from './schema.ts'

const auth = await startTestAuth()
afterAll(auth.stop)

const day = 86_400_000

async function listed(key: TestKey, body = {}) {
  return (await auth.call('listKeys', body, key)).body.keys
}

/** Signs in again with what is given of a key. */
async function register(user: TestUser, key: object) {
  const { email, password } = user
  return auth.call('login', { email, password, ...key })
}

/** As a sign-in leaves a key that waits for the second factor. */
function makePending({ keyId }: TestKey) {
  const pending = auth.auth.db.update(deviceKeys).set({ state: 'pending' })
  return pending.where(eq(deviceKeys.keyId, keyId))
}

describe('listKeys', () => {
  it('answers what a list item has, and never the key itself (A-201, A-032, A-033)', async () => {
    const user = await auth.signedInUser()
    const answer = await auth.call('listKeys', {}, user.key)
    const now = auth.clock.now().getTime()

    expect(answer.body).toEqual({
      keys: [
        {
          keyId: user.key.keyId,
          algorithm: 'ES256',
          fingerprintPrefix: user.key.registration.fingerprint.slice(0, 8),
          createdAtMillis: now,
          expiresAtMillis: now + 90 * day,
          isExpired: false,
          isActive: true,
          registeredIp: '127.0.0.1',
          registeredUserAgent: 'node',
        },
      ],
    })
    const { publicKey, fingerprint } = user.key.registration
    expect(JSON.stringify(answer.body)).not.toContain(publicKey)
    expect(JSON.stringify(answer.body)).not.toContain(fingerprint)
  })

  it('may be called without a body, whose members are all optional (A-201)', async () => {
    const user = await auth.signedInUser()
    const api = createAuthApi({ baseUrl: auth.url, sign: requestSigner(user.key) })
    expect((await api.listKeys.call()).keys).toHaveLength(1)
    const { registration } = user.key
    expect(Object.values(KeyAlgorithm)).toContain(registration.algorithm)
  })

  it('lists revoked keys only when asked, with the moment (A-036)', async () => {
    const user = await auth.signedInUser()
    const gone = await auth.signIn(user)
    await auth.call('revokeKey', { keyId: gone.keyId }, user.key)

    expect(await listed(user.key)).toHaveLength(1)
    const all = await listed(user.key, { includeRevoked: true })
    expect(all).toContainEqual(
      expect.objectContaining({
        keyId: gone.keyId,
        isActive: false,
        revokedAtMillis: auth.clock.now().getTime(),
      }),
    )
    expect(all.filter((item: object) => 'revokedAtMillis' in item)).toHaveLength(1)
  })

  it('does not list a key that waits for a second factor, revoked ones included (A-030)', async () => {
    const user = await auth.signedInUser()
    const waiting = await auth.signIn(user)
    await makePending(waiting)

    expect(await listed(user.key, { includeRevoked: true })).toHaveLength(1)
    expect((await auth.call('getAuthSession', undefined, waiting)).status).toBe(401)
  })

  it('says that a key has expired without changing that it is active (A-034, A-035)', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(91 * day)
    const other = await auth.signIn(user)
    const keys = await listed(other)

    expect(keys.find(({ keyId }: TestKey) => keyId === user.key.keyId)).toMatchObject({
      isExpired: true,
      isActive: true,
    })
    expect((await auth.keysOf(user.userId)).map(({ state }) => state)).toEqual(['active', 'active'])
  })
})

describe('a new key', () => {
  it('keeps its name and platform, made harmless and bounded (A-026, A-027, A-209)', async () => {
    const user = await auth.signedInUser()
    const key = await createTestKey()
    const deviceName = 'Mina\u202Es\u0007 phone'
    await register(user, { ...key.registration, deviceName, platform: 'ios' })
    expect(await listed(key)).toContainEqual(
      expect.objectContaining({ deviceName: 'Mina s phone', platform: 'ios' }),
    )

    for (const wrong of [{ deviceName: 'x'.repeat(65) }, { platform: 'toaster' }]) {
      const other = await createTestKey()
      expect(await register(user, { ...other.registration, ...wrong })).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' } },
      })
    }
  })

  it('has a name of up to 64 characters or none, which finds no key (A-026)', async () => {
    const user = await auth.signedInUser()
    const [named, alike] = [await createTestKey(), await createTestKey()]
    const deviceName = 'x'.repeat(64)
    for (const key of [named, alike]) {
      expect(await register(user, { ...key.registration, deviceName })).toMatchObject({
        status: 200,
      })
    }
    const keys = await listed(alike)
    expect(keys.filter((item: object) => 'deviceName' in item)).toHaveLength(2)
    expect(keys.find(({ keyId }: TestKey) => keyId === user.key.keyId)).not.toHaveProperty(
      'deviceName',
    )
    await auth.call('revokeKey', { keyId: named.keyId }, user.key)
    expect(await listed(alike)).toContainEqual(
      expect.objectContaining({ keyId: alike.keyId, deviceName }),
    )
    expect(
      await register(user, { ...named.registration, deviceName: `${deviceName}x` }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 'ValidationError' } },
    })
  })

  it('has its moments as integers, and its name, platform and last use where there are any (A-032)', async () => {
    const user = await auth.createUser()
    const key = await createTestKey()
    const named = { deviceName: 'Mina', platform: 'ios' }
    const { email, password } = user
    await auth.call('login', { email, password, ...key.registration, ...named })
    await listed(key)
    await auth.auth.keyUse.flush()
    const now = auth.clock.now().getTime()
    const [item] = await listed(key)
    expect(item).toMatchObject({
      ...named,
      keyId: key.keyId,
      algorithm: 'ES256',
      createdAtMillis: now,
      lastUsedAtMillis: now,
      expiresAtMillis: now + 90 * day,
    })
  })

  it('remembers where it was registered from, once, and never the word unknown (A-028, A-029, A-037)', async () => {
    const user = await auth.createUser()
    const key = await createTestKey()
    const { email, password } = user
    const login = { email, password, ...key.registration }
    const agent = (name: string) => ({ headers: { 'user-agent': name } })
    await auth.call('login', login, undefined, agent(`Phone\u009b31m ${'x'.repeat(600)}`))
    await auth.call('login', login, undefined, agent('another'))
    const [item] = await listed(key)

    expect(item.registeredUserAgent).toMatch(/^Phone 31m x+$/)
    expect(item.registeredUserAgent).toHaveLength(512)
    const silent = await createTestKey()
    await auth.call('login', { ...login, ...silent.registration }, undefined, agent('unknown'))
    const items = await listed(silent)
    expect(items.find(({ keyId }: TestKey) => keyId === silent.keyId)).not.toHaveProperty(
      'registeredUserAgent',
    )
  })

  it('is refused in the same way on login, with the documented classes (A-355, A-358, A-022, A-023, A-024)', async () => {
    const user = await auth.signedInUser()
    const { registration: es } = await createTestKey()
    const { registration: rs } = await createTestKey('RS256')
    const codeOf = async (key: object) => (await register(user, key)).body.error?.code

    expect(await codeOf({ ...es, algorithm: 'RS256' })).toBe('KeyAlgorithmMismatchError')
    expect(await codeOf({ ...rs, algorithm: 'ES256' })).toBe('KeyAlgorithmMismatchError')
    const { publicKey: onP384 } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const der = onP384.export({ format: 'der', type: 'spki' })
    const otherCurve = {
      publicKey: der.toString('base64'),
      fingerprint: createHash('sha256').update(der).digest('hex'),
    }
    expect(await codeOf({ ...es, ...otherCurve })).toBe('KeyAlgorithmMismatchError')
    expect(await codeOf({ ...es, fingerprint: rs.fingerprint })).toBe('InvalidKeyFingerprintError')
    expect(await codeOf({ ...es, fingerprint: es.fingerprint.toUpperCase() })).toBe(
      'InvalidKeyFingerprintError',
    )
    expect(await codeOf({ ...es, publicKey: 'not base64!' })).toBe('ValidationError')
    expect(await codeOf({ ...es, algorithm: 'HS256' })).toBe('ValidationError')
    expect(await codeOf({ ...es, keyId: 'short' })).toBe('ValidationError')
    expect(await codeOf(rs)).toBeUndefined()
  })

  it('is welcome again while it is active, and there is one of it (A-132)', async () => {
    const user = await auth.signedInUser()
    const again = await register(user, user.key.registration)

    expect(again.status).toBe(200)
    expect(await auth.keysOf(user.userId)).toHaveLength(1)
  })

  it('gets its life back when it is expired and still active (A-133)', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(90 * day)
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({
      status: 401,
      body: { error: { code: 'KeyExpiredError' } },
    })
    await register(user, user.key.registration)

    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(200)
  })

  it('has an id that was never used before (A-020, A-366, A-134)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signedInUser()
    const fresh = await createTestKey()
    const { keyId } = user.key
    const refused = { status: 409, body: { error: { code: 'KeyIdAlreadyRegisteredError' } } }

    // Another public key under a live id, and the live id of another user.
    const bodies = [
      await register(user, { ...fresh.registration, keyId }),
      await register(other, { ...fresh.registration, keyId }),
      await register(other, user.key.registration),
    ]
    for (const answer of bodies) expect(answer).toMatchObject(refused)
    await auth.call('logout', undefined, user.key)
    bodies.push(await register(user, user.key.registration))
    bodies.push(await register(user, { ...fresh.registration, keyId }))
    // Not a word of whose it is, or how it came to be taken.
    const messages = bodies.map(({ body }) => body.message)
    expect(new Set(messages).size).toBe(1)
    expect(bodies.at(-1)).toMatchObject(refused)
  })

  it('has a public key that no other key has', async () => {
    const user = await auth.signedInUser()
    const thief = await auth.signedInUser()
    const { registration } = user.key

    expect(await register(thief, { ...registration, keyId: 'another-id' })).toMatchObject({
      status: 409,
      body: { error: { code: 'KeyIdAlreadyRegisteredError' } },
    })
  })

  it('may be of RSA (A-017)', async () => {
    const user = await auth.createUser()
    const key = await createTestKey('RS256')
    await auth.call('login', {
      email: user.email,
      password: user.password,
      ...key.registration,
    })

    expect((await auth.call('getAuthSession', undefined, key)).body.keyId).toBe(key.keyId)
    const [row] = await auth.keysOf(user.userId)
    expect(JSON.stringify(row)).not.toMatch(/private/i)
  })
})

describe('revokeKey', () => {
  it('ends a key at once, also the caller’s own (A-202, A-208)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const { keyId } = other

    expect((await auth.call('revokeKey', { keyId }, user.key)).body).toEqual({
      keyId,
      selfRevoked: false,
    })
    expect((await auth.call('getAuthSession', undefined, other)).status).toBe(401)
    const own = await auth.call('revokeKey', { keyId: user.key.keyId }, user.key)
    expect(own.body).toEqual({ keyId: user.key.keyId, selfRevoked: true })
    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(401)
  })

  it('answers another user’s key as one that does not exist (A-363)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signedInUser()
    const theirs = await auth.call('revokeKey', { keyId: other.key.keyId }, user.key)
    const none = await auth.call('revokeKey', { keyId: 'no-such-key' }, user.key)

    expect(theirs).toMatchObject({ status: 404, body: { error: { code: 'KeyNotFoundError' } } })
    const { requestId: _, ...said } = theirs.body.error
    expect(none.body).toMatchObject({ ...theirs.body, error: said })
    expect((await auth.call('getAuthSession', undefined, other.key)).status).toBe(200)
  })

  it('leaves a key that has ended as it ended', async () => {
    const user = await auth.signedInUser()
    const { keyId } = await auth.signIn(user)
    await auth.call('revokeKey', { keyId }, user.key)
    const before = await auth.keysOf(user.userId)
    auth.clock.advance('1m')

    expect((await auth.call('revokeKey', { keyId }, user.key)).status).toBe(200)
    const revokedAt = (rows: typeof before) =>
      rows.find((row) => row.keyId === keyId)?.revokedAt?.getTime()
    expect(revokedAt(await auth.keysOf(user.userId))).toBe(revokedAt(before))
  })
})

describe('revokeKey of a key that was rotated', () => {
  /** A device whose key was rotated twice since a list was read, and the one that has read the list. */
  async function rotatedDevice() {
    const user = await auth.signedInUser()
    const keys = [await auth.signIn(user), await createTestKey(), await createTestKey()] as const
    const [first, between, latest] = keys
    await auth.call('rotateKey', between.registration, first)
    await auth.call('rotateKey', latest.registration, between)
    return { user, first, between, latest }
  }

  const statusOf = async (key: TestKey) =>
    (await auth.call('getAuthSession', undefined, key)).status

  it('ends the one that the device signs with by now, and may be sent again (A-202)', async () => {
    const { user, first, between, latest } = await rotatedDevice()
    const { keyId } = first
    for (let time = 0; time < 2; time++) {
      const answer = await auth.call('revokeKey', { keyId }, user.key)
      expect(answer).toMatchObject({ status: 200, body: { keyId, selfRevoked: false } })
    }

    expect(await statusOf(latest)).toBe(401)
    expect(await statusOf(user.key)).toBe(200)
    const reasons = (await auth.keysOf(user.userId)).map((row) => [row.keyId, row.revokedReason])
    expect(Object.fromEntries(reasons)).toEqual({
      [user.key.keyId]: null,
      [first.keyId]: 'rotated',
      [between.keyId]: 'rotated',
      [latest.keyId]: 'revoked',
    })
  })

  it('ends the device itself where that asks, and says so', async () => {
    const { user, first, latest } = await rotatedDevice()
    const { keyId } = first
    const answer = await auth.call('revokeKey', { keyId }, latest)

    expect(answer).toMatchObject({ status: 200, body: { keyId, selfRevoked: true } })
    expect(await statusOf(latest)).toBe(401)
    expect(await statusOf(user.key)).toBe(200)
  })

  it('can’t be asked for by another account (A-363)', async () => {
    const { first, latest } = await rotatedDevice()
    const stranger = await auth.signedInUser()
    const { keyId } = first
    expect((await auth.call('revokeKey', { keyId }, stranger.key)).status).toBe(404)
    expect(await statusOf(latest)).toBe(200)
  })
})

describe('rotateKey', () => {
  it('puts a new key in the place of the old, with 90 days of its own (A-149, A-019, A-131, A-135)', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(80 * day)
    const next = await createTestKey()
    const answer = await auth.call('rotateKey', next.registration, user.key)

    expect(answer.body).toEqual({
      keyId: next.keyId,
      expiresAtMillis: auth.clock.now().getTime() + 90 * day,
    })
    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(401)
    expect((await auth.call('getAuthSession', undefined, next)).status).toBe(200)
    const rows = await auth.keysOf(user.userId)
    expect(rows.find(({ keyId }) => keyId === user.key.keyId)).toMatchObject({
      state: 'revoked',
      revokedReason: 'rotated',
    })
    const back = await auth.call('rotateKey', user.key.registration, next)
    expect(back).toMatchObject({ status: 409 })
    expect((await auth.call('getAuthSession', undefined, next)).status).toBe(200)
  })

  it('carries the label over unless a new one is sent (A-150)', async () => {
    const user = await auth.signedInUser()
    const named = await createTestKey()
    await register(user, { ...named.registration, deviceName: 'Laptop', platform: 'desktop' })
    const second = await createTestKey()
    await auth.call('rotateKey', second.registration, named)
    const third = await createTestKey()
    await auth.call('rotateKey', { ...third.registration, deviceName: 'Work laptop' }, second)

    const rows = await auth.keysOf(user.userId)
    const label = (key: TestKey) => rows.find(({ keyId }) => keyId === key.keyId)?.deviceName
    expect([label(second), label(third)]).toEqual(['Laptop', 'Work laptop'])
  })

  it('is a success again for a client that did not hear the first', async () => {
    const user = await auth.signedInUser()
    const next = await createTestKey()
    const first = await auth.call('rotateKey', next.registration, user.key)

    expect((await auth.call('rotateKey', next.registration, user.key)).status).toBe(401)
    expect((await auth.call('rotateKey', next.registration, next)).body).toEqual(first.body)
  })
})

describe('revokeAllKeys', () => {
  it('spares the calling device unless it is told not to (A-203)', async () => {
    const user = await auth.signedInUser()
    await auth.signIn(user)
    await auth.signIn(user)

    expect((await auth.call('revokeAllKeys', {}, user.key)).body).toEqual({
      revokedCount: 2,
      currentKeyRevoked: false,
    })
    expect(await auth.call('revokeAllKeys', { includeCurrent: true }, user.key)).toMatchObject({
      body: { revokedCount: 1, currentKeyRevoked: true },
    })
    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(401)
  })

  it('deletes keys that wait for a second factor, and their ids stay taken (A-021)', async () => {
    const user = await auth.signedInUser()
    const waiting = await auth.signIn(user)
    await makePending(waiting)
    const answer = await auth.call('revokeAllKeys', {}, user.key)

    expect(answer.body.revokedCount).toBe(0)
    expect(await listed(user.key, { includeRevoked: true })).toHaveLength(1)
    expect(await register(user, waiting.registration)).toMatchObject({ status: 409 })
  })
})

describe('the key operations', () => {
  it('are POST with their arguments in the body, and nothing else (A-206)', async () => {
    for (const path of ['list', 'revoke', 'rotate', 'revoke-all']) {
      const answer = await auth.fetch(`/_auth/keys/${path}`)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await auth.fetch('/_auth/keys')).status).toBe(404)
  })
})
