import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { keyRevokedEvent } from '../events.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { mostDevices } from './register-key.ts'
import { deviceKeys } from './schema.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth

interface Row {
  expired?: boolean
  /** How many days ago it was used last; one that was never used is as old as that. */
  usedDaysAgo?: number
  kind?: 'device' | 'machine'
}

/** Adds keys to an account, as earlier sign-ins would have done. */
async function fill({ userId, key }: TestUser, prefix: string, count: number, row: Row = {}) {
  const now = auth.clock.now()
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const { expired = false, usedDaysAgo = 1, kind = 'device' } = row
  const [template] = await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, key.keyId))
  if (!template) throw new Error('The key is gone.')
  const rows = Array.from({ length: count }, (_, number) => ({
    ...template,
    userId,
    kind,
    permissions: kind === 'machine' ? [] : null,
    keyId: `${prefix}-${number}-${userId}`,
    fingerprint: `${prefix}-${number}-${userId}`,
    createdAt: at(-60),
    lastUsedAt: at(-usedDaysAgo),
    expiresAt: expired ? at(-1) : at(30),
  }))
  await db.insert(deviceKeys).values(rows)
  return rows.map(({ keyId }) => keyId)
}

const live = (userId: string) =>
  db.$count(
    deviceKeys,
    sql`${deviceKeys.userId} = ${userId} and ${deviceKeys.state} = 'active' and ${deviceKeys.kind} = 'device'`,
  )
const reasonOf = async (keyId: string | undefined) =>
  (
    await db
      .select()
      .from(deviceKeys)
      .where(eq(deviceKeys.keyId, keyId ?? ''))
  )[0]?.revokedReason
const signs = async ({ key }: Pick<TestUser, 'key'>) =>
  (await auth.call('getAuthSession', undefined, key)).status

describe('an account with as many devices as it may have', () => {
  it('signs another in, and ends the one that was used the longest ago (decisions 16)', async () => {
    const user = await auth.signedInUser()
    const [oldest] = await fill(user, 'oldest', 1, { usedDaysAgo: 20 })
    const machines = await fill(user, 'program', 3, { usedDaysAgo: 50, kind: 'machine' })
    await fill(user, 'used', mostDevices - 2)
    const told: unknown[] = []
    const leave = keyRevokedEvent.subscribe((payload) => void told.push(payload))
    const key = await auth.signIn(user)
    leave()

    expect([await signs({ key }), await signs(user)]).toEqual([200, 200])
    expect(await live(user.userId)).toBe(mostDevices)
    expect(await reasonOf(oldest)).toBe('surplus')
    for (const machine of machines) expect(await reasonOf(machine)).toBeNull()
    expect(told).toMatchObject([{ userId: user.userId, keyIds: [oldest], reason: 'surplus' }])
    const trail = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.target, oldest ?? ''))
    const details = { reason: 'surplus', successor: key.keyId }
    expect(trail).toMatchObject([{ act: 'key.revoked', actor: user.userId, details }])
  })

  it('loses those that have expired first', async () => {
    const user = await auth.signedInUser()
    const [expired] = await fill(user, 'expired', 1, { expired: true, usedDaysAgo: 0 })
    const [unused] = await fill(user, 'unused', 1, { usedDaysAgo: 59 })
    await fill(user, 'used', mostDevices - 3)
    await auth.signIn(user)
    expect([await reasonOf(expired), await reasonOf(unused)]).toEqual(['surplus', null])
  })

  it('makes room once a second factor is proved, and not before', async () => {
    const user = await enrolledUser(auth)
    const [oldest] = await fill(user, 'oldest', 1, { usedDaysAgo: 20 })
    await fill(user, 'used', mostDevices - 2)
    const { challenge } = await waitingSignIn(auth, user)
    expect(await reasonOf(oldest)).toBeNull()
    const verified = await auth.call('mfaVerify', { challenge, code: user.code() })
    expect(verified).toMatchObject({ status: 200 })
    expect(await reasonOf(oldest)).toBe('surplus')
  })

  it('keeps no more of them, and each device of a burst that came before, when sixteen sign in at once', async () => {
    const user = await auth.signedInUser()
    await fill(user, 'used', mostDevices - 1)
    const added = await Promise.all(Array.from({ length: 16 }, () => auth.signIn(user)))
    expect(await live(user.userId)).toBe(mostDevices)
    for (const key of added) expect(await signs({ key })).toBe(200)
  })

  it('rotates a key without ending another', async () => {
    const user = await auth.signedInUser()
    const others = await fill(user, 'used', mostDevices - 1)
    const { registration } = await createTestKey()
    expect(await auth.call('rotateKey', registration, user.key)).toMatchObject({ status: 200 })
    expect(await live(user.userId)).toBe(mostDevices)
    for (const other of others) expect(await reasonOf(other)).toBeNull()
  })
})

describe('an account with as many machine keys as it may have', () => {
  it('gets no other, and loses none (decisions 16)', async () => {
    const user = await auth.signedInUser()
    await fill(user, 'program', 99, { kind: 'machine' })
    await fill(user, 'over', 5, { kind: 'machine', expired: true })
    const create = async () => {
      const { registration } = await createTestKey()
      return auth.call('createMachineKey', { ...registration, permissions: [] }, user.key)
    }
    expect(await create()).toMatchObject({ status: 200 })
    expect(await create()).toMatchObject({
      status: 409,
      body: { error: { code: 'ConflictError' } },
    })
  })
})
