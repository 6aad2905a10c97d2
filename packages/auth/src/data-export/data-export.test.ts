import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { UserNotFoundError } from '../accounts/errors.ts'
import { contactChanges } from '../contact/schema.ts'
import { deletionOf } from '../deletion/testing/deletion.ts'
import { invitations } from '../invitations/schema.ts'
import { deviceKeys } from '../keys/schema.ts'
import { attempts } from '../limits/schema.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import { exportUserData } from './data-export.ts'

const orders: Record<string, string[]> = {}
const auth = await startTestAuth({
  env: { SVC_RATE_LIMIT: 'on' },
  options: { exportUserData: async (userId) => ({ orders: orders[userId] ?? [] }) },
})
afterAll(() => auth.stop())
const { db } = auth.auth
const { set } = deletionOf(auth)
beforeEach(() => db.delete(attempts))

const ask = ({ key }: Pick<TestUser, 'key'>) => auth.call('exportUserData', undefined, key)

describe('exportUserData', () => {
  it('answers a file of what is kept of the caller, and of no other user', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signedInUser()
    await auth.call('updateUserProfile', { displayName: 'Ada' }, user.key)
    const old = await auth.signIn(user)
    await auth.call('logout', undefined, old)
    orders[user.userId] = ['a lamp']
    const answer = await ask(user)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="account-data.json"',
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { body } = answer
    expect(body).toMatchObject({
      exportedAt: auth.clock.now().toISOString(),
      account: { userId: user.userId, email: user.email, hasPassword: true, status: 'active' },
      profile: { displayName: 'Ada', timezone: 'UTC' },
      application: { orders: ['a lamp'] },
    })
    const { devices }: { devices: { keyId: string; state: string }[] } = body
    expect(Object.fromEntries(devices.map(({ keyId, state }) => [keyId, state]))).toEqual({
      [user.key.keyId]: 'active',
      [old.keyId]: 'revoked',
    })
    expect(body.auditEvents.map(({ act }: { act: string }) => act)).toEqual([
      'key.logout',
      'login',
      'login',
    ])
    for (const foreign of [other.userId, other.email, other.key.keyId]) {
      expect(JSON.stringify(body)).not.toContain(foreign)
    }
  })

  it('has no secret in it, no hash of one and no request that proves one', async () => {
    const user = await auth.signedInUser()
    const { userId, email, key } = user
    await auth.call('issueOneTimeToken', undefined, key)
    await auth.sentBy(() => auth.call('requestPasswordReset', { email }), email, 'password-reset')
    await auth.verificationToken(email, 'account_deletion')
    await auth.call('changePassword', { currentPassword: user.password, newPassword: 'x' }, key)
    const now = auth.clock.now()
    const common = { createdAt: now, expiresAt: now }
    await db.insert(contactChanges).values({
      ...common,
      changeId: randomUUID(),
      userId,
      kind: 'email',
      state: 'done',
      oldValue: 'old@example.com',
      newValue: email,
      undoHash: 'hash-of-undo',
    })
    for (const as of [{ invitedBy: userId }, { acceptedBy: userId, state: 'accepted' as const }]) {
      const invitationId = randomUUID()
      const tokenHash = `hash-of-${invitationId}`
      const invited = { email: `${invitationId}@example.com`, role: 'user' }
      const row = { ...common, ...invited, invitationId, tokenHash }
      await db.insert(invitations).values({ state: 'pending', ...row, ...as })
    }
    const { body } = await ask(user)
    expect(body.contactChanges).toMatchObject([{ oldValue: 'old@example.com' }])
    expect(body.invitations.sent).toHaveLength(1)
    expect(body.invitations.accepted).toHaveLength(1)
    const text = JSON.stringify(body)
    expect(text).not.toMatch(/hash-of|passwordHash|tokenHash|proof|generation/)
    const { rows } = await db.execute<{ secret: string }>(sql`
      select password_hash as secret from svc_auth.users where user_id = ${userId}
      union select token_hash from svc_auth.one_time_tokens where user_id = ${userId}
      union select token_hash from svc_auth.mailed_links where user_id = ${userId}
      union select proof from svc_auth.audit_events where actor = ${userId} and proof is not null`)
    expect(rows.length).toBeGreaterThan(3)
    for (const { secret } of rows) expect(text).not.toContain(secret)
    expect(text).not.toContain(key.registration.publicKey)
  })

  it('has the newest thousand acts', async () => {
    const user = await auth.signedInUser()
    await db.execute(sql`
      insert into svc_auth.audit_events (at, act, outcome, actor)
      select ${auth.clock.now()}::timestamptz - n * interval '1s', 'act ' || n, 'done', ${user.userId}
      from generate_series(1, 1100) n`)
    const { body } = await ask(user)
    expect(body.auditEvents).toHaveLength(1000)
    expect(body.auditEvents.at(-1).act).toBe('act 999')
  })

  it('asks for the second factor where the account has one, and is limited', async () => {
    const user = await auth.signedInUser()
    expect(await auth.call('exportUserData')).toMatchObject({ status: 401 })
    for (let count = 0; count < 5; count++) expect(await ask(user)).toMatchObject({ status: 200 })
    expect(await ask(user)).toMatchObject(refused(429, 'TooManyRequestsError'))
    await set(user.userId, { secondFactorSince: auth.clock.now() })
    expect(await ask(user)).toMatchObject(refused(403, 'StepUpRequiredError'))
  })

  it('is a row of the trail', async () => {
    const user = await auth.signedInUser()
    await ask(user)
    const { body } = await ask(user)
    expect(body.auditEvents[0]).toMatchObject({ act: 'data.exported', keyId: user.key.keyId })
  })
})

describe('exportUserData(userId)', () => {
  it('is the same for an application, also while the deletion is pending', async () => {
    const user = await auth.signedInUser()
    await deletionOf(auth).request(user)
    const data = await exportUserData(user.userId)
    expect(data.account).toMatchObject({ email: user.email, status: 'pending_deletion' })
    expect(data.application).toEqual({ orders: [] })
  })

  it('knows no account that is unknown, or gone', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { status: 'deleted' })
    for (const unknown of [userId, randomUUID(), 'nobody', '']) {
      await expect(exportUserData(unknown)).rejects.toThrow(UserNotFoundError)
    }
  })

  it('has every column of a device but its public key and what sign-in alone needs', async () => {
    const user = await auth.signedInUser()
    const { devices } = await exportUserData(user.userId)
    const [device] = devices as object[]
    const [row] = await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, user.key.keyId))
    const left = Object.keys(row ?? {}).filter((name) => !(name in (device ?? {})))
    expect(left.toSorted()).toEqual([
      'actorKeyId',
      'concurrentUseAt',
      'knownId',
      'publicKey',
      'secondFactorProvedAt',
      'userId',
    ])
  })
})
