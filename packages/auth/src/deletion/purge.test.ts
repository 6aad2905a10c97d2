import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestAuth, type TestUser } from '../testing.ts'
import { deletionPurge, readDeletion } from './deletion.ts'
import { told, usePurge } from './test-purge.ts'
import { deletionOf } from './testing/deletion.ts'

const { auth, db, request, cancel, accountOf, statusOf, set, actsOf, untilPurged } =
  await usePurge()

async function purge({ userId }: TestUser) {
  await auth.within(() => deletionPurge.enqueue())
  await untilPurged(userId)
}

async function register(at: TestAuth, email: string, key: object) {
  const verificationToken = await at.verificationToken(email, 'registration')
  const password = 'another horse battery staple'
  return at.call('register', { email, password, verificationToken, ...key })
}

/** Every row of every table of sign-in. */
async function everyRow({ auth: { db: of } }: TestAuth) {
  const { rows } = await of.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema = 'svc_auth'`)
  const tables = await Promise.all(
    rows.map(({ name }) => of.execute(sql`select t::text as line from ${sql.raw(name)} t`)),
  )
  return tables.flatMap((table) => table.rows.map(({ line }) => String(line))).join('\n')
}

/** A user with something in every table, and all that must not be left of them. */
async function richUser(at: TestAuth) {
  const user = await at.signedInUser()
  const personal = { displayName: 'Ada Lovelace-Byron', bio: 'Counts things', location: 'Ockham' }
  await at.call('updateUserProfile', personal, user.key)
  await at.call('updateUsername', { username: 'ada.the.first' }, user.key)
  const deviceName = 'Laptop of a countess'
  const key = await createTestKey()
  const { email, password } = user
  await at.call('login', { email, password, ...key.registration, deviceName })
  const machine = await machineOf(at, user, { permissions: ['auth:self:manage'] })
  const device = await createTestKey()
  const waits = { ...device.registration, deviceName: 'Television of a countess' }
  const { userCode } = (await at.call('startDeviceAuth', waits)).body
  await at.call('getDeviceAuthInfo', { userCode }, user.key)
  await at.sentBy(() => at.call('requestPasswordReset', { email }), email, 'password-reset')
  await at.call('issueOneTimeToken', undefined, user.key)
  const values = { phone: '+12025550166', phoneVerifiedAt: at.clock.now() }
  await deletionOf(at).set(user.userId, values)
  const reason = 'My secret diary says so'
  await deletionOf(at).request(user, { reason })
  const traces = [email, 'Lovelace', 'Counts things', 'Ockham', 'ada.the.first', 'countess']
  traces.push('+12025550166', reason, '127.0.0.1')
  for (const { registration } of [user.key, key, machine, device]) {
    traces.push(registration.publicKey, registration.fingerprint)
  }
  return { user, key, traces }
}

describe('auth.deletion-purge', () => {
  it('leaves an account alone until its grace period is over (A-136)', async () => {
    const user = await auth.signedInUser()
    await request(user)
    const due = await auth.signedInUser()
    await request(due)
    await set(due.userId, { purgeAt: auth.clock.now() })
    await set(user.userId, { purgeAt: new Date(auth.clock.now().getTime() + 1) })
    await purge(due)
    expect(await accountOf(user.userId)).toMatchObject({ status: 'pending_deletion' })
    auth.clock.advance(1)
    await purge(user)
    expect(await statusOf(user.userId)).toBe('deleted')
  })

  it.each(['anonymise', 'delete'] as const)(
    'leaves nothing that tells whose it was, and no key id free: %s (A-136)',
    async (kind) => {
      const at = await startTestAuth({ options: { deletion: { graceDays: 3, purge: kind } } })
      const { user, key, traces } = await richUser(at)
      const { userId, email } = user
      const before = await everyRow(at)
      expect(traces.filter((each) => !before.includes(each))).toEqual([])
      at.clock.advance('3d')
      await at.within(() => deletionPurge.enqueue())
      await expect.poll(() => told.includes(userId), { timeout: 10_000 }).toBe(true)

      const after = await everyRow(at)
      expect(traces.filter((each) => after.includes(each))).toEqual([])
      expect([before, after].map((rows) => rows.includes(',machine,'))).toEqual([true, false])
      const account = await deletionOf(at).accountOf(userId)
      if (kind === 'delete') expect(account).toBeUndefined()
      else expect(account).toMatchObject({ status: 'deleted', purgeAt: null, passwordHash: null })

      const again = await register(at, email, key.registration)
      expect(again).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
      const fresh = await createTestKey()
      const sameId = { ...fresh.registration, keyId: user.key.keyId }
      expect(await register(at, email, sameId)).toMatchObject({ status: 409 })
      const anew = await register(at, email, fresh.registration)
      expect(anew).toMatchObject({ status: 200 })
      expect(anew.body.userId).not.toBe(userId)
      await at.stop()
    },
  )

  it('keeps the acts in the trail, without where they came from', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    await auth.createUser({ role: 'superadmin' })
    const other = await auth.createUser()
    const params = { userId: other.userId }
    await auth.call('updateUserRole', { role: 'admin' }, root.key, { params })
    await auth.call('updateUsername', { username: 'root.of.all' }, root.key)
    await request(root)
    auth.clock.advance('30d')
    await purge(root)
    const rows = (await db.select().from(auditEvents)).filter(({ actor }) => actor === root.userId)
    for (const row of rows) expect(row).toMatchObject({ address: null, proof: null })
    const detailsOf = (name: string) => rows.find(({ act }) => act === name)?.details
    expect(detailsOf('user.role_changed')).toEqual({ from: 'user', to: 'admin' })
    expect(detailsOf('username.changed')).toBeNull()
    expect(detailsOf('deletion.requested')).toBeNull()
    expect((await actsOf(root.userId)).at(-1)).toMatchObject({
      act: 'deletion.completed',
      outcome: 'done',
      actor: null,
      target: root.userId,
    })
    expect(await accountOf(root.userId)).toMatchObject({ role: 'user' })
  })

  it('is over even for the owner: no request signs in, restores or asks for it again', async () => {
    const user = await auth.signedInUser()
    await request(user)
    auth.clock.advance('30d')
    const { email, password } = user
    const gone = refused(401, 'InvalidCredentialsError')
    expect(await cancel({ email, password })).toMatchObject(gone)
    await purge(user)
    const { registration } = await createTestKey()
    expect(await auth.call('login', { email, password, ...registration })).toMatchObject(gone)
    expect(await cancel({ email, password })).toMatchObject(gone)
    expect(await request(user)).toMatchObject(refused(401, 'UnauthorizedError'))
    const verificationToken = await auth.verificationToken(email, 'account_deletion')
    expect(await cancel({ email, verificationToken })).toMatchObject(gone)
  })
})

describe('the option deletion', () => {
  it('is 1 to 365 days, and one of two purges', () => {
    expect(readDeletion()).toEqual({ graceDays: 30, purge: 'anonymise' })
    for (const graceDays of [0, 2, 366, 1.5, Number.NaN]) {
      expect(() => readDeletion({ graceDays })).toThrow(/graceDays .* from 3 to 365/)
    }
    expect(() => readDeletion({ purge: 'archive' as 'delete' })).toThrow(/purge/)
  })
})
