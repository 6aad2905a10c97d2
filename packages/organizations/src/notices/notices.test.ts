import { randomBytes } from 'node:crypto'
import type { TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { heldOn } from '../membership/membership.ts'
import { testAgents } from '../test-agent.ts'
import { enrol } from '../test-factor.ts'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'
import { tellOfClosing } from './notices.ts'

const auth = await startTestOrganizations({
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  SVC_RATE_LIMIT: 'on',
})
afterAll(() => auth.stop())
const { apiOf, created, invited, joined } = stepsOf(auth)
const { db } = auth.auth
const root = await auth.signedInUser({ role: 'superadmin' })

async function speaks<User extends Pick<TestUser, 'userId'>>(locale: string, user: User) {
  await db.execute(sql`update svc_auth.users set locale = ${locale} where user_id = ${user.userId}`)
  return user
}

/** The text as the reader sees it: no mail program makes a link of what a user wrote. */
const readable = (text: string) => text.replaceAll('\u2060', '')

const sent = async (
  ask: () => Promise<unknown>,
  { email }: Pick<TestUser, 'email'>,
  mail: string,
) => {
  const { subject, text, html } = await auth.sentBy(ask, email, `organizations.${mail}`)
  expect(html).toContain('<!doctype html>')
  return { subject, text: readable(text) }
}

const countOf = async ({ email }: Pick<TestUser, 'email'>, mail: string) =>
  (await auth.messagesTo(email)).filter(({ template }) => template === `organizations.${mail}`)
    .length

/** A job mails some time after the commit. */
const patient = { timeout: 10_000 }
const arrived = (user: Pick<TestUser, 'email'>, mail: string, count: number) =>
  expect.poll(() => countOf(user, mail), patient).toBe(count)

const owns = (by: TestUser, org: string, { userId }: TestUser) =>
  apiOf(by).handOverOrganization.call({ params: { org }, body: { userId } })

describe('an invitation', () => {
  const invite = (by: TestUser, org: string, email: string) => () =>
    apiOf(by).inviteToOrganization.call({ params: { org }, body: { email } })

  it('is in the language of the account that has the address, also if the inviter has another', async () => {
    const { owner, org } = await created('Acme')
    await speaks('en', owner)
    const reader = await speaks('ko-KR', await auth.signedInUser())
    const { subject } = await sent(invite(owner, org, reader.email), reader, 'invitation')
    expect(subject).toBe('Acme에 초대되었습니다')
    const english = await auth.signedInUser()
    await speaks('ko', owner)
    const other = await sent(invite(owner, org, english.email), english, 'invitation')
    expect(other.subject).toBe('Join Acme')
  })

  it('is in the inviter’s language if the address has no account', async () => {
    const { owner, org } = await created('Acme')
    const email = `${crypto.randomUUID()}@example.com`
    await speaks('ko', owner)
    const { subject } = await sent(invite(owner, org, email), { email }, 'invitation')
    expect(subject).toBe('Acme에 초대되었습니다')
  })
})

describe('a member who is removed', () => {
  it('is told so in the language of the account, and one who leaves is not', async () => {
    const { owner, org } = await created('Acme')
    const [leaver, removed] = [await joined(owner, org), await joined(owner, org)]
    await speaks('ko', removed)
    await apiOf(leaver).leaveOrganization.call({ params: { org } })
    const remove = () =>
      apiOf(owner).removeOrganizationMember.call({ params: { org, userId: removed.userId } })
    const { subject, text } = await sent(remove, removed, 'member-removed')
    expect(subject).toBe('Acme 조직에서 제외되었습니다')
    expect(text).not.toContain(owner.email)
    expect(await countOf(leaver, 'member-removed')).toBe(0)
  })
})

/** Whether the server has logged this. */
const hasLogged = (words: string) => JSON.stringify(auth.server.logged).includes(words)

type Body = NonNullable<
  Parameters<ReturnType<typeof apiOf>['updateOrganizationPolicies']['call']>[0]['body']
>

describe('a policy that starts', () => {
  const ask = (by: TestUser, org: string, body: Body) => () =>
    apiOf(by).updateOrganizationPolicies.call({ params: { org }, body })

  /** The jobs that have gone through the members. */
  async function rounds(org: string) {
    const { rows } = await db.execute(sql`
      select 1 from svc_jobs.job where name = 'organizations.policy-notice'
        and data->'input'->>'organizationId' = ${org}`)
    return rows.length
  }

  it('tells those who have something to do what and until when, and no one who has done it', async () => {
    const { owner, org } = await created('Acme')
    await enrol(auth, owner)
    const [has, lacks, speaker] = [
      await joined(owner, org),
      await joined(owner, org),
      await speaks('ko', await joined(owner, org)),
    ]
    await enrol(auth, has)
    auth.clock.advance(1000)
    const start = ask(owner, org, { requireSecondFactor: true, secondFactorWindowDays: 3 })
    const { subject, text } = await sent(start, lacks, 'policies')
    expect(subject).toBe('New requirements in Acme')
    const { secondFactorBy } = await apiOf(lacks).getOrganization.call({ params: { org } })
    const day = new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' })
    expect(text).toContain('Set up a second factor for your account by ')
    expect(text).toContain(day.format(new Date(secondFactorBy ?? 0)))
    expect(text).toMatch(/http:\S+\/orgs\/acme/)
    await arrived(speaker, 'policies', 1)
    const [mail] = (await auth.messagesTo(speaker.email)).slice(-1)
    expect(mail?.text).toContain('2단계 인증을 설정해 주세요')
    expect([await countOf(has, 'policies'), await countOf(owner, 'policies')]).toEqual([0, 0])
  })

  it('tells of one change once: not of a save that asks nothing more', async () => {
    const { owner, org } = await created()
    await enrol(auth, owner)
    await ask(owner, org, { requireSecondFactor: true })()
    expect(await rounds(org)).toBe(1)
    for (const body of [
      { requireSecondFactor: true },
      { maxKeyAgeHours: 2000 },
      { secondFactorWindowDays: 30 },
      { waysIn: null, allowedDomains: null },
    ]) {
      await ask(owner, org, body)()
    }
    expect(await rounds(org)).toBe(1)
    await ask(owner, org, { secondFactorWindowDays: 1 })()
    expect(await rounds(org)).toBe(2)
    const domain = owner.email.split('@')[1] ?? ''
    await ask(owner, org, { allowedDomains: [domain, 'acme.example'] })()
    expect(await rounds(org)).toBe(3)
    await ask(owner, org, { allowedDomains: [domain, 'acme.example', 'more.example'] })()
    expect(await rounds(org)).toBe(3)
    await ask(owner, org, { allowedDomains: [domain] })()
    expect(await rounds(org)).toBe(4)
  })

  it('names the domains and the ways in, of which one device that meets them is enough', async () => {
    const { owner, org } = await created('Acme')
    const domain = owner.email.split('@')[1] ?? ''
    const [member, stranger] = [await joined(owner, org), await joined(owner, org)]
    const moved = sql`update svc_auth.users set email = ${`${crypto.randomUUID()}@elsewhere.example`}
      where user_id = ${stranger.userId} returning email`
    const email = (await db.execute<{ email: string }>(moved)).rows[0]?.email ?? ''
    await db.execute(
      sql`update svc_auth.device_keys set signed_in_by = 'code' where user_id = ${stranger.userId}`,
    )
    const start = ask(owner, org, { allowedDomains: [domain], waysIn: ['password', 'google'] })
    const { text } = await sent(start, { email }, 'policies')
    expect(text).toContain(`one that ends in @${domain}.`)
    expect(text).toContain('Sign in with a password or Google.')
    expect(text).toContain('Until then, you can’t use the organization.')
    expect(await countOf(member, 'policies')).toBe(0)
  })

  it('goes through all members page by page, and mails each once', async () => {
    const { owner, org } = await created()
    await enrol(auth, owner)
    await db.execute(sql`
      insert into organizations.members (organization_id, user_id, roles, joined_at)
      select ${org}, gen_random_uuid(), '{member}', now() - interval '1 hour' from generate_series(1, 410)`)
    const user = await auth.signedInUser()
    await db.execute(sql`
      insert into organizations.members (organization_id, user_id, roles, joined_at)
      values (${org}, ${user.userId}, '{member}', now() + interval '1 hour')`)
    await sent(ask(owner, org, { requireSecondFactor: true }), user, 'policies')
    await expect.poll(() => rounds(org), patient).toBe(3)
    expect(await countOf(user, 'policies')).toBe(1)
  })

  it('is told at most ten times a day, and is still set then', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    await db.execute(
      sql`update svc_auth.device_keys set signed_in_by = 'code' where user_id = ${member.userId}`,
    )
    // Each asks for more than the one before.
    const ways = Array.from({ length: 11 }, (_, at) => `way-${at}`)
    for (let count = 11; count > 0; count -= 1) {
      await ask(owner, org, { waysIn: ['password', ...ways.slice(0, count)] })()
    }
    await arrived(member, 'policies', 10)
    await expect.poll(() => hasLogged('too many today'), patient).toBe(true)
    const { waysIn } = await apiOf(owner).getOrganizationPolicies.call({ params: { org } })
    expect(waysIn).toEqual(['password', 'way-0'])
    expect(await countOf(member, 'policies')).toBe(10)
  })
})

describe('a notice whose job fails and is retried', () => {
  /** Until the test is over, the first mail of this kind that is queued fails, as in an outage. */
  async function failOnce(mail: string) {
    const run = (statement: string) => db.execute(sql.raw(statement))
    await run('create sequence failed')
    await run(`create function fail_once() returns trigger language plpgsql as
      $$ begin if nextval('failed') = 1 then raise 'an outage'; end if; return new; end $$`)
    await run(`create trigger fail_once before insert on svc_jobs.job for each row
      when (new.data->'input'->>'mail' = '${mail}') execute function fail_once()`)
    onTestFinished(async () => {
      await run('drop trigger fail_once on svc_jobs.job')
      await run('drop function fail_once')
      await run('drop sequence failed')
    })
  }

  it('counts once towards the ten of a day that tell of policies', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    await db.execute(
      sql`update svc_auth.device_keys set signed_in_by = 'code' where user_id = ${member.userId}`,
    )
    await failOnce('organizations.policies')
    const ways = Array.from({ length: 10 }, (_, at) => `way-${at}`)
    for (let count = 10; count > 0; count -= 1) {
      const body = { waysIn: ['password', ...ways.slice(0, count)] }
      await apiOf(owner).updateOrganizationPolicies.call({ params: { org }, body })
      await arrived(member, 'policies', 11 - count)
    }
  })
})

describe('owners', () => {
  const reason = 'Ticket 7'

  it('are told of a new owner, and so is the one who has handed it over', async () => {
    const { owner, org } = await created('Acme')
    const heir = await speaks('ko', await joined(owner, org))
    const member = await joined(owner, org)
    const told = await sent(() => owns(owner, org, heir), owner, 'owner-gained')
    expect(told.subject).toBe('Acme has a new owner')
    expect(told.text).toContain(`${owner.email} has handed Acme over to ${heir.email}`)
    await arrived(heir, 'owner-gained', 1)
    const params = { org, userId: member.userId }
    const body = { roles: ['owner', 'member'] }
    const given = await sent(
      () => apiOf(heir).setMemberRoles.call({ params, body }),
      member,
      'owner-gained',
    )
    expect(given.text).toContain(`${heir.email} has made ${member.email} an owner of Acme.`)
    await apiOf(heir).setMemberRoles.call({ params, body: { roles: ['owner'] } })
    expect(await countOf(member, 'owner-gained')).toBe(1)
    // By then an admin.
    expect(await countOf(owner, 'owner-gained')).toBe(1)
  })

  it('are told of a new owner who was invited, by the member who has invited them', async () => {
    const { owner, org } = await created('Acme')
    const heir = await auth.signedInUser()
    const token = await invited(owner, org, { email: heir.email, roles: ['owner'] })
    const accept = () => apiOf(heir).acceptOrganizationInvitation.call({ body: { token } })
    const { text } = await sent(accept, owner, 'owner-gained')
    expect(text).toContain(`${owner.email} has made ${heir.email} an owner of Acme.`)
    await arrived(heir, 'owner-gained', 1)
  })

  it('are told when another one takes the role from them, and not when they give it up', async () => {
    const { owner, org } = await created('Acme')
    const [other, third] = [await joined(owner, org), await joined(owner, org)]
    const set =
      (by: TestUser, { userId }: TestUser, roles: string[]) =>
      () =>
        apiOf(by).setMemberRoles.call({ params: { org, userId }, body: { roles } })
    for (const user of [other, third]) await set(owner, user, ['owner'])()
    const { subject, text } = await sent(set(other, owner, ['member']), owner, 'owner-lost')
    expect(subject).toBe('You are no longer an owner of Acme')
    expect(text).toContain(`${other.email} has taken this role from you`)
    await set(third, third, ['member'])()
    await set(other, owner, ['admin'])()
    expect(await countOf(third, 'owner-lost')).toBe(0)
    expect(await countOf(owner, 'owner-lost')).toBe(1)
  })

  it('are told what an operator does, without the reason and the name', async () => {
    const { owner, org } = await created('Acme')
    const member = await joined(owner, org)
    const params = { organizationId: org }
    const api = apiOf(root)
    const close = () => api.closeAnyOrganization.call({ params, body: { reason } })
    const closed = await sent(close, owner, 'closed')
    expect(closed.subject).toBe('Acme is closed')
    expect(closed.text).toContain('An operator of this service has closed Acme')
    expect(closed.text).toContain('Owners can’t open it.')
    const reopen = () => api.reopenAnyOrganization.call({ params, body: { reason } })
    const reopened = await sent(reopen, owner, 'reopened')
    expect(reopened.text).toContain('An operator of this service has opened Acme again')
    const body = { userId: member.userId, reason }
    const add = () => api.addAnyOrganizationOwner.call({ params, body })
    const added = await sent(add, owner, 'owner-gained')
    expect(added.text).toContain(`An operator of this service has made ${member.email} an owner`)
    for (const { text } of [closed, reopened, added]) {
      expect(text).not.toContain(reason)
      expect(text).not.toContain(root.email)
    }
    await arrived(member, 'owner-gained', 1)
    expect(await countOf(member, 'closed')).toBe(0)
  })

  it('are told of a closing and of an opening by one of them, and until when it can be opened', async () => {
    const { owner, org } = await created('Acme')
    const params = { org }
    const close = () => apiOf(owner).closeOrganization.call({ params, body: {} })
    const closed = await sent(close, owner, 'closed')
    expect(closed.text).toContain(`${owner.email} has closed Acme`)
    expect(closed.text).toContain('Owners can open it again until')
    expect(closed.text).toMatch(/http:\S+\/orgs\n/)
    const reopen = () => apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })
    const { text } = await sent(reopen, owner, 'reopened')
    expect(text).toContain(`${owner.email} has opened Acme again.`)
  })

  it('are told of what was done while they were owners, also if they are removed before the mail', async () => {
    const { owner, org } = await created('Acme')
    const held = heldOn(db)
    if (!held) throw new Error('Organizations have not started.')
    const closing = () =>
      db.transaction(async (tx) => {
        await tellOfClosing(tx, held, { organizationId: org, purgeAt: auth.clock.now() })
        await tx.execute(sql`delete from organizations.members where user_id = ${owner.userId}`)
      })
    const { subject } = await sent(closing, owner, 'closed')
    expect(subject).toBe('Acme is closed')
  })

  it('are told of an agent that is connected, with its name and its roles', async () => {
    const { owner, org } = await created('Acme')
    const admin = await joined(owner, org, ['admin'])
    const agents = testAgents(auth)
    const client = await agents.register('Clerk bot')
    const consent = () => agents.consent(admin, client, { owner: org })
    const { subject, text } = await sent(consent, owner, 'agent-connected')
    expect(subject).toBe('An agent was connected to Acme')
    expect(text).toContain(`${admin.email} has allowed a program to act in Acme.`)
    expect(text).toContain('It calls itself: Clerk bot')
    expect(text).toContain('Its roles: admin')
    expect(await countOf(admin, 'agent-connected')).toBe(0)
  })

  it('are told who has inherited it: the member too whose it is now', async () => {
    const { owner, org } = await created('Acme')
    const heir = await joined(owner, org)
    const { text } = await sent(() => auth.purge(owner), heir, 'owner-gained')
    expect(text).toContain(
      `The account of the last owner of Acme was deleted. ${heir.email} is the owner now.`,
    )
  })
})
