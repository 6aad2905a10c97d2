import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldOn } from '../auth.ts'
import type { HeldBy } from '../capability/capability.ts'
import { hashToken } from '../crypto/crypto.ts'
import { updateRole } from '../roles/roles.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestAnswer } from '../testing.ts'
import { invitationContract } from './contract.ts'
import type { InvitationEnv } from './env.ts'
import { mailInvitation } from './invitations.ts'
import { stepsOf, testRoles } from './testing/invitations.ts'

const env = { SVC_APP_URL: 'https://app.example.com' }
const auth = await startTestAuth({ env, options: testRoles })
afterAll(() => auth.stop())

/** As the job that mails links is given it. */
const held = heldOn(auth.auth.db, invitationContract) as HeldBy<
  typeof invitationContract,
  { env: InvitationEnv }
>

const { invite, lookUp, accept, inDays, accountsAt, rowOf, trailOf } = stepsOf(auth)
const root = await auth.signedInUser({ role: 'superadmin' })
const admin = await auth.signedInUser({ role: 'admin' })
beforeEach(() => Promise.all([root, admin].map(auth.proveRecent)))
await updateRole('resting', { isActive: false })

const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const notFound = refused(404, 'InvitationNotFoundError')
const closed = refused(409, 'InvitationClosedError')
const forbidden = refused(403, 'ForbiddenError')

describe('resendInvitation', () => {
  const resend = (invitationId: string, { key } = admin) =>
    auth.call('resendInvitation', { invitationId }, key)

  it('mails another link, with as much time as the first had, each time (A-159)', async () => {
    const { invitationId, email, token } = await invite(admin.key, { expiresInDays: 3 })
    const tokens = [token]
    for (let times = 0; times < 2; times += 1) {
      auth.clock.advance('2d')
      let answer: TestAnswer | undefined
      const ask = async () => {
        answer = await resend(invitationId)
      }
      tokens.push(await auth.linkSentBy(ask, email, 'invitation'))
      const role = 'user'
      const body = { invitationId, email, role, expiresAt: inDays(3) }
      expect(answer).toMatchObject({ status: 200, body })
    }
    const last = tokens.pop() as string
    for (const earlier of tokens) expect(await lookUp(earlier)).toMatchObject(notFound)
    expect(await accept(last)).toMatchObject({ status: 200, body: { email } })
    const acts = (await trailOf(invitationId)).map(({ act }) => act)
    expect(acts.filter((act) => act === 'invitation.resent')).toHaveLength(2)
  })

  it('ends the link before it at once, whenever the other is mailed', async () => {
    const { invitationId, token } = await invite(admin.key)
    vi.spyOn(auth.auth.linkMail, 'order').mockResolvedValueOnce()
    expect(await resend(invitationId)).toMatchObject({ status: 200 })
    expect(await rowOf(invitationId)).toMatchObject({ state: 'pending', tokenHash: null })
    expect(await accept(token)).toMatchObject(notFound)
  })

  it('makes the user who sends it again the inviter', async () => {
    const inviter = await auth.signedInUser({ role: 'admin' })
    const { invitationId, email } = await invite(inviter.key)
    await suspendUser(inviter.userId)
    const token = await auth.linkSentBy(() => resend(invitationId), email, 'invitation')
    expect(await rowOf(invitationId)).toMatchObject({ invitedBy: admin.userId })
    expect(await accept(token)).toMatchObject({ status: 200 })
  })

  it('is for those who could invite with that role', async () => {
    const { invitationId, token } = await invite(root.key, { role: 'admin' })
    expect(await resend(invitationId)).toMatchObject(forbidden)
    expect(await lookUp(token)).toMatchObject({ status: 200 })
  })
})

describe('cancelInvitation', () => {
  const cancel = (invitationId: string, { key } = admin) =>
    auth.call('cancelInvitation', { invitationId }, key)

  it('takes an invitation back (A-047, A-159)', async () => {
    const { invitationId, email } = await invite(admin.key)
    const answer = await cancel(invitationId)
    expect(answer).toMatchObject({ status: 200, body: { invitationId, email } })
    expect(answer.body.status).toBe('cancelled')
    expect(await invite(admin.key, { email })).toMatchObject({ email })
  })

  it('is for those who could invite with that role, even while it may not be given', async () => {
    const { invitationId, token } = await invite(root.key, { role: 'admin' })
    expect(await cancel(invitationId)).toMatchObject(forbidden)
    expect(await lookUp(token)).toMatchObject({ status: 200 })
    await updateRole('resting', { isActive: true })
    const resting = await invite(admin.key, { role: 'resting' })
    await updateRole('resting', { isActive: false })
    expect(await cancel(resting.invitationId)).toMatchObject({ status: 200 })
  })
})

describe('an invitation that has ended', () => {
  const ends: Record<string, () => Promise<string>> = {
    accepted: async () => {
      const { invitationId, token } = await invite(admin.key)
      await accept(token)
      return invitationId
    },
    cancelled: async () => {
      const { invitationId } = await invite(admin.key)
      await auth.call('cancelInvitation', { invitationId }, admin.key)
      return invitationId
    },
    expired: async () => {
      const { invitationId } = await invite(admin.key, { expiresInDays: 1 })
      auth.clock.advance('1d')
      return invitationId
    },
  }

  it.each(Object.keys(ends))('(%s) is neither sent nor taken back, nor mailed', async (how) => {
    const invitationId = (await ends[how]?.()) as string
    const before = await rowOf(invitationId)
    expect(await auth.call('resendInvitation', { invitationId }, admin.key)).toMatchObject(closed)
    expect(await auth.call('cancelInvitation', { invitationId }, admin.key)).toMatchObject(closed)
    await mailInvitation(held, invitationId)
    expect(await rowOf(invitationId)).toEqual(before)
    expect(await auth.messagesTo(before?.email ?? '')).toHaveLength(1)
  })
})

describe('deleteInvitation', () => {
  it('is for superadmins, removes the row, and leaves the account (A-159)', async () => {
    const { invitationId, email, token } = await invite(admin.key)
    await accept(token)
    const remove = ({ key } = root) => auth.call('deleteInvitation', { invitationId }, key)
    expect(await remove(admin)).toMatchObject(forbidden)
    expect(await remove()).toMatchObject({ status: 204 })
    expect(await rowOf(invitationId)).toBeUndefined()
    expect(await accountsAt(email)).toHaveLength(1)
    expect(await remove()).toMatchObject(notFound)
    const last = (await trailOf(invitationId)).at(-1)
    expect(last).toMatchObject({ act: 'invitation.deleted', actor: root.userId })
  })
})

describe('an id that no invitation has', () => {
  it.each(['resendInvitation', 'cancelInvitation', 'deleteInvitation'] as const)(
    'is not found: %s',
    async (name) => {
      expect(await auth.call(name, { invitationId: randomUUID() }, root.key)).toMatchObject(
        notFound,
      )
    },
  )
})

describe('listInvitations', () => {
  const list = (query: Record<string, unknown> = {}, { key } = admin) =>
    auth.call('listInvitations', undefined, key, { query })

  it('has the newest first, a page at a time, each as the clock has it (A-159)', async () => {
    const expired = await invite(admin.key, { expiresInDays: 1, metadata: { team: 'north' } })
    auth.clock.advance('1d')
    const accepted = await invite(admin.key)
    await accept(accepted.token)
    auth.clock.advance(1)
    await auth.proveRecent(root)
    const pending = await invite(root.key, { role: 'clerk' })
    const { total } = (await list()).body.meta.pagination
    const first = await list({ limit: 1 })
    expect(first.body).toEqual({
      success: true,
      data: [
        {
          invitationId: pending.invitationId,
          email: pending.email,
          role: 'clerk',
          status: 'pending',
          invitedBy: root.userId,
          createdAt: inDays(0),
          expiresAt: inDays(7),
        },
      ],
      meta: { pagination: { page: 1, limit: 1, total, totalPages: total } },
    })
    expect((await list({ limit: 1, page: 2 })).body.data).toMatchObject([
      { invitationId: accepted.invitationId, status: 'accepted', acceptedAt: expect.any(String) },
    ])
    expect((await list({ status: 'expired' })).body.data[0]).toMatchObject({
      invitationId: expired.invitationId,
      status: 'expired',
      metadata: { team: 'north' },
    })
  })

  it.each(['pending', 'accepted', 'cancelled', 'expired'])(
    'has those that are %s (A-047)',
    async (status) => {
      const { data, meta } = (await list({ status, limit: 100 })).body
      const all = (await list({ limit: 100 })).body.data as { status: string }[]
      expect(data.length).toBeGreaterThan(0)
      expect(data).toEqual(all.filter((each) => each.status === status))
      expect(meta.pagination.total).toBe(data.length)
    },
  )

  it('never has a token, nor what is kept of one', async () => {
    const { token } = await invite(admin.key)
    const text = JSON.stringify((await list({ limit: 100 })).body)
    expect(text).not.toContain(token)
    expect(text).not.toContain(hashToken(token))
  })

  it('is for those who may see users', async () => {
    const user = await auth.signedInUser()
    expect(await list({}, user)).toMatchObject(forbidden)
    expect(await list({}, await auth.signedInUser({ role: 'clerk' }))).toMatchObject({
      status: 200,
    })
  })
})

describe('mailing', () => {
  it('again, after a mail that may not have arrived, mints another token', async () => {
    const { invitationId, email, token } = await invite(admin.key)
    const again = () => mailInvitation(held, invitationId)
    const later = await auth.linkSentBy(again, email, 'invitation')
    expect(await lookUp(token)).toMatchObject(notFound)
    expect(await accept(later)).toMatchObject({ status: 200 })
  })

  it('writes no mail for an invitation that was deleted', async () => {
    await expect(mailInvitation(held, randomUUID())).resolves.toBeUndefined()
  })
})

describe('too many', () => {
  it('are refused: invitations by account, looks and acceptances by address', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const { key } = await limited.signedInUser({ role: 'admin' })
    const steps = stepsOf(limited)
    const statuses = async (number: number, ask: () => Promise<TestAnswer>) => {
      const answers = await Promise.all(Array.from({ length: number }, ask))
      return answers.filter(({ status }) => status === 429).length
    }
    const invitationId = randomUUID()
    expect(await statuses(25, () => steps.create(key, { role: 'nobody' }))).toBe(0)
    const resend = () => limited.call('resendInvitation', { invitationId }, key)
    expect(await statuses(7, resend)).toBe(2)
    expect(await statuses(32, () => steps.lookUp('nothing'))).toBe(2)
    expect(await statuses(12, () => steps.accept('nothing'))).toBe(2)
    await limited.stop()
  })
})
