import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { configureAuth } from '../configure-auth.ts'
import { createRole, setRolePermissions, updateRole } from '../roles/roles.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { noticeEvent, streamingApplication } from './test-application.ts'
import { openStream, streamToken, type TestStream } from './test-stream.ts'

const auth = await startTestAuth({ definition: streamingApplication() })
const root = await auth.signedInUser({ role: 'superadmin' })
afterAll(() => auth.stop())

const opened: TestStream[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

async function open(key: TestKey) {
  const stream = await openStream(auth.url, await streamToken(auth.url, auth.signerOf(key)))
  expect(stream.status).toBe(200)
  opened.push(stream)
  return stream
}

/** How long a stream went on after this, in milliseconds. */
async function millisAfter(act: () => Promise<unknown>, stream: TestStream) {
  await act()
  const doneAt = performance.now()
  await stream.ended
  return Math.max(0, (stream.endedAt() ?? Infinity) - doneAt)
}

async function expectOpen(...streams: TestStream[]) {
  const text = String(Math.random())
  await noticeEvent.emit({ text })
  await vi.waitFor(() => {
    for (const stream of streams) {
      expect(stream.frames()).toContainEqual({ event: 'notice', data: { text } })
    }
  })
}

async function twoDevices() {
  const user = await auth.signedInUser()
  const other = await auth.signIn(user)
  return { user, other, streams: [await open(user.key), await open(other)] as const }
}

const done = async (answer: ReturnType<typeof auth.call>) =>
  expect((await answer).status).toBeLessThan(300)

describe('a stream', () => {
  it('goes on while its device is signed in', async () => {
    const { streams } = await twoDevices()
    await expectOpen(...streams)
  })

  it.each<[string, (user: TestUser, other: TestKey) => Promise<unknown>]>([
    ['logs out', (_, other) => done(auth.call('logout', undefined, other))],
    [
      'is signed out by another',
      ({ key }, { keyId }) => done(auth.call('revokeKey', { keyId }, key)),
    ],
    [
      'is signed out with all others',
      ({ key }) => done(auth.call('revokeAllKeys', { includeCurrent: false }, key)),
    ],
    [
      'gets another key',
      async (_, other) => done(auth.call('rotateKey', (await createTestKey()).registration, other)),
    ],
    [
      'has an owner whose password is changed on another device',
      ({ key, password }) => {
        const body = { currentPassword: password, newPassword: 'another good long one' }
        return done(auth.call('changePassword', body, key))
      },
    ],
  ])('ends at once when its device %s, and no other does', async (_, act) => {
    const { user, other, streams } = await twoDevices()
    const bystander = await open((await auth.signedInUser()).key)
    const millis = await millisAfter(() => act(user, other), streams[1])

    expect(millis).toBeLessThan(1000)
    await expectOpen(streams[0], bystander)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'every device is signed out',
      ({ key }) => done(auth.call('revokeAllKeys', { includeCurrent: true }, key)),
    ],
    ['the account is suspended', ({ userId }) => suspendUser(userId)],
    [
      'the role changes and no event says what the new one may have',
      ({ userId }) =>
        done(auth.call('updateUserRole', { role: 'admin' }, root.key, { params: { userId } })),
    ],
  ])('ends at once when %s', async (_, act) => {
    const { user, streams } = await twoDevices()
    const bystander = await open((await auth.signedInUser()).key)
    for (const millis of await Promise.all([
      millisAfter(() => act(user), streams[0]),
      streams[1].ended.then(() => 0),
    ])) {
      expect(millis).toBeLessThan(1000)
    }
    await expectOpen(bystander)
  })

  it('ends when what its role grants changes, though no event says what the role may have', async () => {
    await createRole({ name: 'clerk', displayName: 'Clerk' })
    const clerk = await open((await auth.signedInUser({ role: 'clerk' })).key)
    const bystander = await open((await auth.signedInUser()).key)

    expect(await millisAfter(() => setRolePermissions('clerk', ['user:read']), clerk)).toBeLessThan(
      1000,
    )
    await expectOpen(bystander)
  })

  it('goes on when its role has other words', async () => {
    await createRole({ name: 'scribe', displayName: 'Scribe' })
    const stream = await open((await auth.signedInUser({ role: 'scribe' })).key)
    await updateRole('scribe', { displayName: 'Writer', description: 'Writes.', priority: 12 })
    await expectOpen(stream)
  })
})

describe('the token of a stream', () => {
  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['its device was signed out', ({ key }) => done(auth.call('logout', undefined, key))],
    ['its account was suspended', ({ userId }) => suspendUser(userId)],
    ['its key has expired', async () => auth.clock.advance(20_000)],
  ])('opens nothing when %s after it was issued', async (_, act) => {
    const user = await auth.signedInUser()
    const { key } = user
    auth.clock.advance(90 * 86_400_000 - 20_000)
    const token = await streamToken(auth.url, auth.signerOf(key))
    await act(user)
    expect((await openStream(auth.url, token)).status).toBe(401)
  })
})

describe('the watch of open streams', () => {
  // What the clock does to a key no event tells.
  const check = () => auth.infrastructure.streams.recheck()

  it('ends the stream of a key that has expired', async () => {
    const { key } = await auth.signedInUser()
    auth.clock.advance(90 * 86_400_000 - 1000)
    const stream = await open(key)
    check()
    await expectOpen(stream)
    auth.clock.advance(1000)
    expect(await millisAfter(async () => check(), stream)).toBeLessThan(1000)
  })

  it('ends what another instance has taken away and could not tell', async () => {
    const { user, streams } = await twoDevices()
    await auth.auth.db
      .update(users)
      .set({ status: 'suspended' })
      .where(eq(users.userId, user.userId))
    await wait(50)
    await expectOpen(...streams)
    check()
    await Promise.all(streams.map(({ ended }) => ended))
  })

  it('ends the streams of an account that may do nothing before it has changed its password', async () => {
    const { key, userId } = await auth.signedInUser()
    const stream = await open(key)
    const mustChange = { passwordChangeRequired: true }
    await auth.auth.db.update(users).set(mustChange).where(eq(users.userId, userId))
    check()
    await expectOpen(stream)
    configureAuth({ enforcePasswordChange: true })
    try {
      check()
      await stream.ended
    } finally {
      configureAuth({ enforcePasswordChange: false })
    }
  })

  it('ends nothing while the database cannot be asked', async () => {
    const { key } = await auth.signedInUser()
    const stream = await open(key)
    const rename = (from: string, to: string) =>
      auth.auth.db.execute(`alter table svc_auth.${from} rename to ${to}`)
    await rename('device_keys', 'unreadable_keys')
    check()
    await vi.waitFor(() => {
      expect(JSON.stringify(auth.logged)).toContain('open streams could not be checked')
    })
    await rename('unreadable_keys', 'device_keys')
    await expectOpen(stream)
  })
})
