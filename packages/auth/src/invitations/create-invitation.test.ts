import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { hashToken } from '../crypto/crypto.ts'
import { updateRole } from '../roles/roles.ts'
import { startTestAuth } from '../testing.ts'
import { invitationCreatedEvent } from './events.ts'
import { invitations } from './schema.ts'
import { stepsOf, testRoles } from './testing/invitations.ts'

const env = { SVC_APP_URL: 'https://app.example.com' }
const auth = await startTestAuth({ env, options: testRoles })
afterAll(() => auth.stop())

const { db } = auth.auth
const { newAddress, create, invite, lookUp, inDays, rowOf, trailOf } = stepsOf(auth)
const root = await auth.signedInUser({ role: 'superadmin' })
const admin = await auth.signedInUser({ role: 'admin' })
await updateRole('resting', { isActive: false })

const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const notFound = refused(404, 'InvitationNotFoundError')
const forbidden = refused(403, 'ForbiddenError')

describe('createInvitation', () => {
  it('invites an address with a role, and tells of it (A-158, A-159)', async () => {
    const told = vi.fn<(payload: unknown) => void>()
    const leave = invitationCreatedEvent.subscribe(told)
    const email = newAddress()
    const answer = await create(admin.key, { email: ` ${email.toUpperCase()} `, role: 'clerk' })
    leave()
    expect(answer.status).toBe(201)
    const { invitationId } = answer.body
    expect(answer.body).toEqual({ invitationId, email, role: 'clerk', expiresAt: inDays(7) })
    expect(told).toHaveBeenCalledExactlyOnceWith({ invitationId, invitedBy: admin.userId })
    expect(await trailOf(invitationId)).toMatchObject([
      { act: 'invitation.created', actor: admin.userId, details: { role: 'clerk' } },
    ])
  })

  it('mails a link to the app, with who invites and as what (A-181)', async () => {
    const email = newAddress()
    await auth.call('updateUserProfile', { displayName: 'Ada <b>Lovelace' }, root.key)
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const ask = () =>
      auth.call('createInvitation', { email, role: 'clerk', expiresInDays: 2 }, root.key, {
        headers: forged,
      })
    const { text } = await auth.sentBy(ask, email, 'invitation')
    expect(text).toMatch(/\shttps:\/\/app\.example\.com\/invitation\?token=[\w-]{43}\s/)
    for (const said of ['The clerk', 'Ada <b>Lovelace', '2 days']) expect(text).toContain(said)
    expect(text).not.toContain('evil')
    const anonymous = newAddress()
    const other = () => create(admin.key, { email: anonymous })
    expect((await auth.sentBy(other, anonymous, 'invitation')).text).toContain(admin.email)
  })

  it('keeps a hash of the token alone, and no token in the queue', async () => {
    const { invitationId, token } = await invite(admin.key)
    expect(await rowOf(invitationId)).toMatchObject({ tokenHash: hashToken(token) })
    const { rows } = await db.execute(sql`
      select (select json_agg(i) from svc_auth.invitations i)::text as kept,
        (select json_agg(a) from svc_auth.audit_events a)::text as trail,
        (select json_agg(j) from svc_jobs.job j where j.name = 'auth.link-mail')::text as queued`)
    expect(rows[0]?.queued).toContain(invitationId)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it.each([
    ['admin', 'superadmin'],
    ['admin', 'admin'],
    ['admin', 'auditor'],
    ['admin', 'resting'],
    ['superadmin', 'resting'],
    ['host', 'host'],
    ['host', 'admin'],
    ['host', 'user'],
    ['user', 'user'],
    ['clerk', 'user'],
  ])('does not let a caller with the role %s give the role %s', async (own, given) => {
    const caller = await auth.signedInUser({ role: own })
    const email = newAddress()
    expect(await create(caller.key, { email, role: given })).toMatchObject(forbidden)
    expect(await db.select().from(invitations).where(eq(invitations.email, email))).toEqual([])
  })

  it.each([
    ['superadmin', 'superadmin'],
    ['superadmin', 'auditor'],
    ['admin', 'user'],
    ['host', 'clerk'],
  ])('lets a caller with the role %s give the role %s', async (own, given) => {
    const caller = await auth.signedInUser({ role: own })
    const { token } = await invite(caller.key, { role: given })
    expect(await lookUp(token)).toMatchObject({ status: 200, body: { role: given } })
  })

  it('refuses an unknown role, and a caller who is not signed in', async () => {
    const unknown = await create(admin.key, { role: 'nobody' })
    expect(unknown).toMatchObject(refused(404, 'RoleNotFoundError'))
    const body = { email: newAddress(), role: 'user' }
    expect(await auth.call('createInvitation', body)).toMatchObject(
      refused(401, 'UnauthorizedError'),
    )
  })

  it('refuses an address that has an account, in whichever spelling', async () => {
    const { email } = await auth.createUser()
    for (const each of [email, ` ${email.toUpperCase()}`]) {
      const answer = await create(admin.key, { email: each })
      expect(answer).toMatchObject(refused(409, 'AccountAlreadyExistsError'))
    }
  })

  it('names the invitation that an address is waiting with', async () => {
    const { invitationId, email, token } = await invite(admin.key)
    const again = await create(root.key, { email: email.toUpperCase(), role: 'clerk' })
    expect(again).toMatchObject(refused(409, 'InvitationAlreadyExistsError'))
    expect(again.body).toMatchObject({ invitationId })
    expect(await lookUp(token)).toMatchObject({ status: 200, body: { role: 'user' } })
  })

  it('replaces one whose time is over', async () => {
    const { invitationId, email, token } = await invite(admin.key, { expiresInDays: 1 })
    auth.clock.advance('1d')
    const later = await invite(admin.key, { email })
    expect(later.invitationId).not.toBe(invitationId)
    expect(await rowOf(invitationId)).toMatchObject({ state: 'cancelled', tokenHash: null })
    expect(await lookUp(token)).toMatchObject(notFound)
  })

  it.each([
    { email: 'ada' },
    { email: 'a@example.com, b@example.com' },
    { expiresInDays: 0 },
    { expiresInDays: 31 },
    { expiresInDays: 1.5 },
    { metadata: { ['x'.repeat(8192)]: 1 } },
  ])('refuses what does not fit, and writes nothing: %#', async (fields) => {
    const before = await db.$count(invitations)
    expect(await create(admin.key, fields)).toMatchObject(refused(400, 'ValidationError'))
    expect(await db.$count(invitations)).toBe(before)
  })
})
