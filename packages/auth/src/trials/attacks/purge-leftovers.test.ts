import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../../audit/schema.ts'
import { deletionOn, deletionPurge, purgeAccount } from '../../deletion/deletion.ts'
import { deletionOf } from '../../deletion/testing/deletion.ts'
import { stepsOf } from '../../invitations/testing/invitations.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { createTestKey, startTestAuth, type TestUser, testPassword } from '../../testing.ts'
import { dumpTables } from './dump-tables.ts'

const auth = await startTestAuth({ options: { deletion: { graceDays: 3 } } })
const { db } = auth.auth
afterAll(() => auth.stop())
const { request, statusOf } = deletionOf(auth)
const root = await auth.signedInUser({ role: 'superadmin' })

/** Asks for the deletion, does what somebody may do meanwhile, and lets the grace period end. */
async function purge(user: TestUser, meanwhile: () => Promise<unknown> = async () => undefined) {
  expect(await request(user)).toMatchObject({ status: 200 })
  await meanwhile()
  expect(await dumpTables(db)).toContain(user.email)
  auth.clock.advance('3d')
  await deletionPurge.enqueue()
  await expect.poll(() => statusOf(user.userId), { timeout: 10_000 }).toBe('deleted')
}

async function register(email: string): Promise<TestUser> {
  const key = await createTestKey()
  const proof = { verificationToken: await auth.verificationToken(email, 'registration') }
  const body = { email, password: testPassword, ...proof, ...key.registration }
  const { userId, publicId } = (await auth.call('register', body)).body
  return { userId, publicId, email, password: testPassword, key }
}

describe('of an account that is purged, no table has', () => {
  it('the address in an invitation that it did not come by', async () => {
    const email = `${randomUUID()}@example.com`
    const invited = await auth.call('createInvitation', { email, role: 'user' }, root.key)
    expect(invited.status).toBe(201)
    await purge(await register(email))
    expect(await dumpTables(db)).not.toContain(email)
  })

  it('the address in a link that was asked for while the deletion was pending', async () => {
    const user = await auth.signedInUser()
    const { email } = user
    await purge(user, async () => {
      await auth.call('requestPasswordReset', { email })
      await auth.sentBy(() => auth.call('requestSignupLink', { email }), email, 'account-exists')
    })
    expect(await dumpTables(db)).not.toContain(email)
  })

  it('where a visitor has tried to sign in to it, or came by a link', async () => {
    const user = await auth.signedInUser()
    const { userId, email } = user
    const { registration } = await createTestKey()
    await auth.call('login', { email, password: 'not the password', ...registration })
    const { url } = await createRevokeAllLink(userId)
    const token = new URL(url).searchParams.get('token')
    expect(await auth.call('consumeRevokeAllLink', { token })).toMatchObject({ status: 200 })
    const key = await auth.signIn(user)
    await purge({ ...user, key }, () =>
      auth.call('cancelAccountDeletion', { email, password: 'not the password' }),
    )
    const rows = await db.select().from(auditEvents).where(eq(auditEvents.target, userId))
    const acts = rows.map(({ act }) => act)
    expect(acts).toEqual(expect.arrayContaining(['login', 'revoke_all_link.consumed']))
    expect(rows.filter(({ address }) => address !== null)).toEqual([])
  })

  it('but what an administrator did to it, and from where', async () => {
    const user = await auth.signedInUser()
    const params = { userId: user.userId }
    await auth.proveRecent(root)
    await auth.call('updateUserRole', { role: 'admin' }, root.key, { params })
    await purge(user)
    const rows = await db.select().from(auditEvents).where(eq(auditEvents.target, user.userId))
    expect(rows).toContainEqual(
      expect.objectContaining({
        act: 'user.role_changed',
        actor: root.userId,
        address: '127.0.0.1',
        details: { from: 'user', to: 'admin' },
      }),
    )
  })
})

it('an account that is purged as its address accepts an invitation delays no other request, and is not delayed', async () => {
  const email = `${randomUUID()}@example.com`
  const { invite, accept } = stepsOf(auth)
  const { token } = await invite(root.key, { email })
  const { userId, key } = await register(email)
  await auth.call('requestAccountDeletion', { password: testPassword }, key)
  auth.clock.advance('3d')
  const both = await db.transaction(async (tx) => {
    // Half of the purge is done when it comes to the keys.
    await tx.execute(sql`select from svc_auth.device_keys where user_id = ${userId} for update`)
    const purged = purgeAccount(deletionOn(auth.auth.db), userId)
    await whileFewerWait(1)
    const accepted = accept(token)
    // In the right order it is answered at once.
    await Promise.race([accepted, whileFewerWait(2)])
    return { purged, accepted }
  })
  const [purged, accepted] = await Promise.allSettled([both.purged, both.accepted])
  expect(purged).toEqual({ status: 'fulfilled', value: undefined })
  expect(accepted).toMatchObject({ value: { status: 409 } })
  expect(await dumpTables(db)).not.toContain(email)
})

async function whileFewerWait(number: number) {
  for (let waiting = 0; waiting < number; await wait(5)) {
    const { rows } = await db.execute(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    waiting = Number(rows[0]?.['waiting'])
  }
}
