import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { profiles } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { ownerEvents } from '../auth-events.ts'
import { toOwners } from '../authenticate/authenticate.ts'
import { keyRevokedEvent } from '../events.ts'
import { deviceKeys } from '../keys/schema.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { requireNewPassword } from '../people/people.ts'
import { createRole, setRolePermissions } from '../roles/roles.ts'
import { noticeEvent } from '../streams/test-application.ts'
import { openStream, streamToken, type TestStream } from '../streams/test-stream.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { supportEndedEvent, supportOpenedEvent } from './events.ts'
import { ask, routes, sessionOf, supported } from './testing/support.ts'

const auth = await startTestAuth({
  definition: supported({
    support: {},
    roles: [
      { name: 'helper', displayName: 'Helper', priority: 50 },
      { name: 'editor', displayName: 'Editor', priority: 5 },
    ],
    rolePermissions: { helper: ['auth:self:manage', 'support:act'] },
  }),
})
const { call, clock } = auth
const { db } = auth.auth
const forbidden = refused(403, 'SupportSessionForbiddenError')
const gone = refused(401, 'UnauthorizedError')

let helper: TestUser
let owner: TestUser
const streams: TestStream[] = []
beforeEach(async () => {
  helper = await auth.signedInUser({ role: 'helper' })
  owner = await auth.signedInUser()
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => auth.stop())

const open = async (body: object = {}, by = helper.key) => {
  const { registration } = await createTestKey()
  const { userId } = owner
  return call('openSupportSession', { userId, reason: 'ticket 7', ...registration, ...body }, by)
}
const session = (choice: object = {}) =>
  sessionOf(auth, helper, { userId: owner.userId, ...choice })
const sessionAsked = (key: TestKey) => call('getAuthSession', undefined, key)
const end = (keyId: string, by: TestKey) => call('endSupportSession', { keyId }, by)
const stateOf = async ({ keyId }: TestKey) => {
  const [row] = await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, keyId))
  return row?.state
}
/** Of the account that is new in each test. */
const trailOf = (act: string) =>
  db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.act, act), eq(auditEvents.target, owner.userId)))

async function streamOf(key: TestKey, events?: string) {
  const token = await streamToken(auth.url, auth.signerOf(key))
  const stream = await openStream(auth.url, token, events)
  expect(stream.status).toBe(200)
  streams.push(stream)
  return stream
}

describe('openSupportSession', () => {
  it('registers a key that acts as the owner, and says who acts', async () => {
    const key = await session({ minutes: 45 })
    expect((await sessionAsked(key)).body).toMatchObject({
      userId: owner.userId,
      actor: helper.userId,
      keyId: key.keyId,
      keyExpiresAtMillis: clock.now().getTime() + 45 * 60_000,
    })
    const own = (await sessionAsked(owner.key)).body
    expect(own).not.toHaveProperty('actor')
    // A page learns by it whether sessions can be open.
    expect(own).toMatchObject({ supportConsent: 'none' })
  })

  it('lives for 30 minutes unless it says otherwise, and for an hour at most', async () => {
    const { body } = await open()
    expect(body).toEqual({
      keyId: expect.any(String),
      userId: owner.userId,
      expiresAtMillis: clock.now().getTime() + 30 * 60_000,
    })
    for (const minutes of [0, 61, 1.5]) {
      expect(await open({ minutes })).toMatchObject(refused(400, 'ValidationError'))
    }
    const key = await session({ minutes: 60 })
    clock.advance('59m')
    expect((await sessionAsked(key)).status).toBe(200)
    clock.advance('1m')
    expect(await sessionAsked(key)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('needs a reason, the permission and a fresh proof', async () => {
    for (const reason of ['', ' \n ', '\u200B', undefined]) {
      expect(await open({ reason })).toMatchObject(refused(400, 'ValidationError'))
    }
    const admin = await auth.signedInUser({ role: 'admin' })
    expect(await open({}, admin.key)).toMatchObject(refused(403, 'ForbiddenError'))
    clock.advance('3h')
    const stale = refused(403, 'RecentAuthenticationRequiredError')
    expect(await open()).toMatchObject(stale)
    expect(await open({ currentPassword: helper.password })).toMatchObject({ status: 200 })
  })

  it('acts as no account that ranks with the operator’s, as none of a superadmin, and not as itself', async () => {
    const [peer, first, second] = await Promise.all([
      auth.signedInUser({ role: 'helper' }),
      auth.signedInUser({ role: 'superadmin' }),
      auth.signedInUser({ role: 'superadmin' }),
    ])
    for (const { userId } of [peer, helper, second]) {
      expect(await open({ userId })).toMatchObject(refused(403, 'ForbiddenError'))
    }
    const asRoot = await open({ userId: second.userId }, first.key)
    expect(asRoot).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await open({ userId: peer.userId }, first.key)).toMatchObject({ status: 200 })
    const unknown = 'ffffffff-0000-4000-8000-000000000000'
    expect(await open({ userId: unknown })).toMatchObject(refused(404, 'UserNotFoundError'))
    expect(await open({ userId: 'no id' })).toMatchObject(refused(404, 'UserNotFoundError'))
  })

  it('acts as no account that is not active', async () => {
    await auth.server.within(() => suspendUser(owner.userId))
    expect(await open()).toMatchObject(refused(409, 'ConflictError'))
  })

  it('takes a key of its own: none that is live, or has been the key of a session', async () => {
    const taken = refused(409, 'KeyIdAlreadyRegisteredError')
    const key = await session()
    for (const { registration } of [helper.key, owner.key, key]) {
      expect(await open(registration)).toMatchObject(taken)
    }
    expect((await end(key.keyId, helper.key)).status).toBe(204)
    expect(await open(key.registration)).toMatchObject(taken)
  })

  it('gives no life to the key of a session by a sign-in, and no other key in its place', async () => {
    const key = await session({ minutes: 1 })
    const rotated = await call('rotateKey', (await createTestKey()).registration, key)
    expect(rotated).toMatchObject(forbidden)
    clock.advance('1m')
    const { email, password } = owner
    expect(await call('login', { email, password, ...key.registration })).toMatchObject(
      refused(409, 'KeyIdAlreadyRegisteredError'),
    )
    expect(await sessionAsked(key)).toMatchObject(refused(401, 'KeyExpiredError'))
  })
})

describe('who acts', () => {
  it('is told to the routes of an application, which can forbid it', async () => {
    const key = await session()
    const both = { userId: owner.userId, actor: helper.userId }
    for (const path of ['/any-key', '/bearer', '/optional', '/may', '/role']) {
      expect(await ask(auth, path, key), path).toEqual({ status: 200, body: both })
      const own = { userId: owner.userId, actor: null }
      expect(await ask(auth, path, owner.key), path).toEqual({ status: 200, body: own })
    }
    for (const path of ['/owner-only', '/step-up', '/fresh', '/superadmin']) {
      expect(await ask(auth, path, key), path).toMatchObject(forbidden)
    }
    for (const path of ['/owner-only', '/step-up', '/fresh']) {
      expect((await ask(auth, path, owner.key)).status, path).toBe(200)
    }
    expect((await ask(auth, '/editors', owner.key)).status).toBe(403)
    expect(Object.keys(routes)).toHaveLength(10)
  })

  it('is in the trail, in the mail and in the events, which name both', async () => {
    await db.update(profiles).set({ displayName: 'Hedy' }).where(eq(profiles.userId, helper.userId))
    const told: object[] = []
    const stops = [supportOpenedEvent, supportEndedEvent, keyRevokedEvent].map((event) =>
      event.subscribe((payload: object) => void told.push(payload)),
    )
    let key: TestKey | undefined
    const mail = await auth.sentBy(
      async () => (key = await session({ reason: 'the\u202E ticket' })),
      owner.email,
      'support-opened',
    )
    const { keyId = '' } = key ?? {}
    const ended = await auth.sentBy(() => end(keyId, key as TestKey), owner.email, 'support-ended')
    for (const stop of stops) stop()

    expect(mail.text).toContain('Hedy')
    expect(mail.text).toContain('the ticket')
    expect(ended.text).toContain('ended')
    const ofBoth = { userId: owner.userId, actor: helper.userId }
    const expiresAtMillis = clock.now().getTime() + 30 * 60_000
    expect(told).toEqual([
      { ...ofBoth, keyId, operator: 'Hedy', reason: 'the ticket', expiresAtMillis },
      { ...ofBoth, keyIds: [keyId], reason: 'support operator' },
      { ...ofBoth, keyId, reason: 'operator' },
    ])
    expect(await trailOf('support.opened')).toMatchObject([
      {
        actor: helper.userId,
        keyId: helper.key.keyId,
        details: { keyId, reason: 'the ticket' },
      },
    ])
    expect(await trailOf('support.ended')).toMatchObject([
      {
        actor: helper.userId,
        keyId,
        details: { keyId, reason: 'operator', onBehalfOf: owner.userId },
      },
    ])
  })

  it('is seen in the owner’s list of devices', async () => {
    const key = await session()
    const { keys } = await done(call('listKeys', {}, owner.key))
    expect(keys).toContainEqual(
      expect.objectContaining({ keyId: key.keyId, kind: 'support', isActive: true }),
    )
    expect(JSON.stringify(keys)).not.toContain(helper.key.keyId)
  })
})

describe('streams of ownerEvents', () => {
  const all = ['notice', ...Object.keys(ownerEvents)]

  it('tell an owner at once that a session has opened and ended, and no other account', async () => {
    const [own, ofHelper, ofStranger] = await Promise.all(
      [owner, helper, await auth.signedInUser()].map((user) => streamOf(user.key, all.join())),
    )
    const key = await session()
    await end(key.keyId, helper.key)
    await noticeEvent.emit({ text: 'after that' })
    const ofSession = ['supportOpenedEvent', 'supportEndedEvent', 'keyRevokedEvent']
    const heard = ['connected', 'notice', ...ofSession].toSorted()
    await vi.waitFor(() => expect(own?.names().toSorted()).toEqual(heard))
    const opened = own?.frames().find(({ event }) => event === 'supportOpenedEvent')
    expect(opened?.data).toMatchObject({ userId: owner.userId, keyId: key.keyId })
    for (const stream of [ofHelper, ofStranger]) {
      await vi.waitFor(() => expect(stream?.names()).toEqual(['connected', 'notice']))
    }
  })

  it('tell nothing of an account to a support session or a machine', async () => {
    const programs = [await session(), await machineOf(auth, owner)]
    const connected = (events: string[]) =>
      expect.objectContaining({ event: 'connected', data: expect.objectContaining({ events }) })
    for (const key of programs) {
      const stream = await streamOf(key, all.join())
      await vi.waitFor(() => expect(stream.frames()).toEqual([connected(['notice'])]))
    }
    const own = await streamOf(owner.key, all.join())
    await vi.waitFor(() => expect(own.frames()).toEqual([connected(all)]))
  })

  it('name the recipients of each of them', () => {
    expect(Object.keys(toOwners.recipients)).toEqual(Object.keys(ownerEvents))
  })
})

describe('a support session', () => {
  type End = (key: TestKey) => Promise<unknown>
  const roleOf = async ({ userId }: TestUser, role: string) => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    return done(call('updateUserRole', { role }, root.key, { params: { userId } }))
  }
  const withdrawn: [string, End][] = [
    ['its operator signs out', () => call('logout', undefined, helper.key)],
    [
      'its operator gets another key',
      async () => call('rotateKey', (await createTestKey()).registration, helper.key),
    ],
    [
      'its operator signs out everywhere',
      () => call('revokeAllKeys', { includeCurrent: true }, helper.key),
    ],
    ['its operator is suspended', () => auth.server.within(() => suspendUser(helper.userId))],
    [
      'its operator leaves',
      () => call('requestAccountDeletion', { password: helper.password }, helper.key),
    ],
    ['its operator gets a role that may not', () => roleOf(helper, 'user')],
    ['the owner gets a role that ranks with the operator’s', () => roleOf(owner, 'helper')],
  ]
  const ends: [string, End][] = [
    ['its owner ends it', ({ keyId }) => call('revokeKey', { keyId }, owner.key)],
    ['its owner signs out everywhere', () => call('revokeAllKeys', {}, owner.key)],
    ['its owner is suspended', () => auth.server.within(() => suspendUser(owner.userId))],
    ['its operator ends it', ({ keyId }) => end(keyId, helper.key)],
    ['it ends itself', (key) => end(key.keyId, key)],
    ...withdrawn,
  ]

  it.each(ends)('signs nothing, and its streams end at once, when %s', async (_, act) => {
    const key = await session()
    const stream = await streamOf(key)
    const bystander = await streamOf((await auth.signedInUser()).key)
    const doneAt = performance.now()
    await act(key)
    await stream.ended
    expect(performance.now() - doneAt).toBeLessThan(2000)
    expect(await sessionAsked(key)).toMatchObject(gone)
    expect(await stateOf(key)).toBe('revoked')
    const text = String(Math.random())
    await noticeEvent.emit({ text })
    await vi.waitFor(() =>
      expect(bystander.frames()).toContainEqual({ event: 'notice', data: { text } }),
    )
  })

  it('ends when the operator’s role loses the permission, and stays ended when it has it again', async () => {
    await createRole({ name: 'clerk', displayName: 'Clerk', priority: 40 })
    const clerk = await auth.signedInUser({ role: 'clerk' })
    await setRolePermissions('clerk', ['support:act'])
    const key = await sessionOf(auth, clerk, owner)
    const stream = await streamOf(key)
    await auth.server.within(() => setRolePermissions('clerk', []))
    expect(await sessionAsked(key)).toMatchObject(gone)
    await stream.ended
    await vi.waitFor(async () => expect(await stateOf(key)).toBe('revoked'))
    await auth.server.within(() => setRolePermissions('clerk', ['support:act']))
    expect(await sessionAsked(key)).toMatchObject(gone)
  })

  it('is not opened on an account with another role that may do more, and ends when it gets one', async () => {
    await createRole({ name: 'keeper', displayName: 'Keeper', priority: 5 })
    await setRolePermissions('keeper', ['rbac:role:manage'])
    const keeper = await auth.signedInUser({ otherRoles: ['keeper'] })
    expect(await open({ userId: keeper.userId })).toMatchObject(refused(403, 'ForbiddenError'))
    const key = await session()
    const root = await auth.signedInUser({ role: 'superadmin' })
    const params = { userId: owner.userId }
    await done(call('addUserRole', { role: 'keeper' }, root.key, { params }))
    expect(await sessionAsked(key)).toMatchObject(gone)
  })

  it('is no way through a gate that lets in by a role which its operator does not have', async () => {
    const keeper = await auth.signedInUser({ otherRoles: ['editor'] })
    expect(await open({ userId: keeper.userId })).toMatchObject(refused(403, 'ForbiddenError'))
    const root = await auth.signedInUser({ role: 'superadmin' })
    const key = await sessionOf(auth, root, keeper)
    expect((await ask(auth, '/editors', key)).status).toBe(200)
    const own = await session()
    const give = ({ userId }: TestUser) =>
      done(call('addUserRole', { role: 'editor' }, root.key, { params: { userId } }))
    await give(owner)
    expect(await sessionAsked(own)).toMatchObject(gone)
    await give(helper)
    expect((await ask(auth, '/editors', await session())).status).toBe(200)
  })

  it('signs nothing while its operator has to choose another password', async () => {
    const key = await session()
    await auth.server.within(() => requireNewPassword(helper.userId))
    expect(await sessionAsked(key)).toMatchObject(gone)
  })

  it('is ended by no other operator, machine or session, and by its own twice', async () => {
    const key = await session()
    const other = await auth.signedInUser({ role: 'helper' })
    const second = await session()
    const unknown = refused(404, 'KeyNotFoundError')
    expect(await end(key.keyId, other.key)).toMatchObject(unknown)
    expect(await end(key.keyId, second)).toMatchObject(unknown)
    expect(await end(key.keyId, owner.key)).toMatchObject(unknown)
    expect(await end(owner.key.keyId, helper.key)).toMatchObject(unknown)
    expect((await sessionAsked(key)).status).toBe(200)
    for (const _ of [1, 2]) expect((await end(key.keyId, helper.key)).status).toBe(204)
    expect((await sessionAsked(second)).status).toBe(200)
  })

  it('lives no longer than the key that it was opened with', async () => {
    const key = await session({ minutes: 60 })
    const expiresAt = new Date(clock.now().getTime() + 60_000)
    const own = eq(deviceKeys.keyId, helper.key.keyId)
    await db.update(deviceKeys).set({ expiresAt }).where(own)
    clock.advance('1m')
    expect(await sessionAsked(key)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('is said to be over once its time is', async () => {
    const key = await session({ minutes: 1 })
    clock.advance('1m')
    const told: object[] = []
    const stop = supportEndedEvent.subscribe((payload) => void told.push(payload))
    await auth.sentBy(() => auth.sweep(), owner.email, 'support-ended')
    stop()
    const { keyId } = key
    expect(told).toContainEqual({
      userId: owner.userId,
      actor: helper.userId,
      keyId,
      reason: 'expired',
    })
    expect(await stateOf(key)).toBe('revoked')
  })

  it('names no operator who is gone', async () => {
    const key = await session()
    await auth.purge(helper)
    const [row] = await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, key.keyId))
    expect(row).toMatchObject({ actorId: null, actorKeyId: null, deviceName: null })
    expect(await sessionAsked(key)).toMatchObject(gone)
  })
})
