import { randomUUID } from 'node:crypto'
import { ConflictError } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { UserNotFoundError } from '../accounts/errors.ts'
import { auditEvents } from '../audit/schema.ts'
import { accountReactivatedEvent, accountSuspendedEvent, keyRevokedEvent } from '../events.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { reactivateUser, suspendUser } from './suspension.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const told: [string, unknown][] = []
for (const event of [accountSuspendedEvent, accountReactivatedEvent, keyRevokedEvent]) {
  event.subscribe((payload) => void told.push([event.name, payload]))
}
const toldOf = (userId: string) =>
  told.filter(([, payload]) => (payload as { userId: string }).userId === userId)

const login = async ({ email, password }: { email: string; password: string }) =>
  auth.call('login', { email, password, ...(await createTestKey()).registration })
const session = (user: { key: Parameters<typeof auth.signerOf>[0] }) =>
  auth.call('getAuthSession', undefined, user.key)
const actsOn = async (userId: string) => {
  const lines = await auth.auth.db.select().from(auditEvents).where(eq(auditEvents.target, userId))
  return lines.map(({ act }) => act)
}
const activeKeysOf = async (userId: string) =>
  (await auth.keysOf(userId)).filter(({ state }) => state === 'active')

const sixteenTimes = <Result>(run: () => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: 16 }, run))

describe('suspendUser', () => {
  it('signs every device out, and refuses the next sign-in (A-044, A-046)', async () => {
    const user = await auth.signedInUser()
    await suspendUser(user.userId)
    expect(await session(user)).toMatchObject({
      status: 401,
      body: { error: { code: 'UnauthorizedError' } },
    })
    expect(await login(user)).toMatchObject({
      status: 403,
      body: { error: { code: 'AccountDisabledError' } },
    })
    expect(await activeKeysOf(user.userId)).toEqual([])
  })

  it('tells a caller with the wrong password nothing of it', async () => {
    const user = await auth.createUser()
    const before = await login({ ...user, password: 'not the password at all' })
    await suspendUser(user.userId)
    const after = await login({ ...user, password: 'not the password at all' })
    expect(after).toMatchObject({
      status: 401,
      body: { error: { code: 'InvalidCredentialsError' } },
    })
    expect(after.body.message).toBe(before.body.message)
  })

  it('tells the application and the audit trail', async () => {
    const { userId, key } = await auth.signedInUser()
    await suspendUser(userId)
    expect(toldOf(userId)).toEqual([
      ['auth.key.revoked', { userId, keyIds: [key.keyId], reason: 'suspended' }],
      ['auth.account.suspended', { userId }],
    ])
    expect(await actsOn(userId)).toContain('account.suspended')
  })

  it('leaves no key to a login that is under way', async () => {
    const user = await auth.createUser()
    const logins = Array.from({ length: 16 }, () => login(user))
    expect(await Promise.race(logins)).toMatchObject({ status: 200 })
    await suspendUser(user.userId)
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 401, 403].includes(status))).toEqual([])
    expect(await activeKeysOf(user.userId)).toEqual([])
  })

  it('refuses an account that is unknown, or not active', async () => {
    const { userId } = await auth.createUser()
    await suspendUser(userId)
    await expect(suspendUser(userId)).rejects.toThrow(ConflictError)
    for (const unknown of [randomUUID(), 'nobody', '']) {
      await expect(suspendUser(unknown)).rejects.toThrow(UserNotFoundError)
      await expect(reactivateUser(unknown)).rejects.toThrow(UserNotFoundError)
    }
  })

  it('happens once when sixteen ask at once', async () => {
    const { userId } = await auth.signedInUser()
    const outcomes = await sixteenTimes(() => suspendUser(userId))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await actsOn(userId)).filter((act) => act === 'account.suspended')).toHaveLength(1)
  })
})

describe('reactivateUser', () => {
  it('lets the user sign in again, on devices that stay signed out (A-046)', async () => {
    const user = await auth.signedInUser()
    await suspendUser(user.userId)
    await reactivateUser(user.userId)
    expect(await session(user)).toMatchObject({ status: 401 })
    expect(await login(user)).toMatchObject({ status: 200 })
    expect(toldOf(user.userId)).toContainEqual([
      'auth.account.reactivated',
      { userId: user.userId },
    ])
    expect(await actsOn(user.userId)).toContain('account.reactivated')
  })

  it('refuses an account that is not suspended', async () => {
    const { userId } = await auth.createUser()
    await expect(reactivateUser(userId)).rejects.toThrow(ConflictError)
  })
})
