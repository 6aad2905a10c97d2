import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestDns } from '../../../../scripts/test-dns.ts'
import { memberChanged } from '../membership/events.ts'
import { lockOrganization, store as membership } from '../membership/membership.ts'
import { nameOf, startTestOrganizations } from '../test-organizations.ts'
import * as store from './store.ts'
import { domainStepsOf } from './test-domains.ts'

const dns = await startTestDns()
const auth = await startTestOrganizations({}, { dnsResolver: dns.resolver, maxMembers: 5 })
const other = await auth.secondInstance()
afterAll(async () => {
  await auth.stop()
  dns.stop()
})
const steps = domainStepsOf(auth, dns)
const { apiOf, created, invited, ask, newDomain, userAt } = steps
const { waiting, added, proved, remove, join, joinable, trail } = steps
const { db } = auth.auth

type User = Awaited<ReturnType<typeof userAt>>

const over = 'OrganizationNotFoundError'

/** What a user is answered, but for the id of the request. */
async function answered(user: User, organizationId: string) {
  const body = JSON.stringify({ organizationId })
  const answer = await ask('/_auth/organizations/join', user, { method: 'POST', body })
  return JSON.stringify(answer).replaceAll(answer.body.error?.requestId ?? '-', '')
}

const prove = ({ userId }: User, at: string | null) =>
  db.execute(sql`update svc_auth.users set email_verified_at = ${at} where user_id = ${userId}`)

const isIn = async (user: User, org: string) =>
  (await ask(`/orgs/${org}/board`, user)).status === 200

describe('joinOrganization', () => {
  it('makes a user at a proved domain a member with its roles, and says so to members and streams', async () => {
    const { owner, org, domain } = await proved({ roles: ['admin'], name: 'Divers' })
    const user = await userAt(domain)
    const heard: unknown[] = []
    const stop = memberChanged.subscribe((told) => void heard.push(told))
    const list = [{ organizationId: org, name: 'Divers', domain }]
    expect(await joinable(user)).toEqual(list)
    const made = await join(user, org)
    stop()
    expect(made).toMatchObject({ organizationId: org, name: 'Divers', roles: ['admin'] })
    expect(made.permissions).toContain('domain:manage')
    expect(await isIn(user, org)).toBe(true)
    expect(heard).toContainEqual({ organizationId: org, userId: user.userId })
    const [entry] = await trail(owner, org, 'organization.member_added')
    expect(entry).toMatchObject({
      actor: user.userId,
      target: user.userId,
      targetName: user.email,
      details: { domain, roles: ['admin'] },
    })
    expect(await joinable(user)).toEqual([])
  })

  it('refuses all that is not the caller’s to join as it refuses where there is no organization', async () => {
    const { owner, org, domain } = await proved()
    const nowhere = crypto.randomUUID()
    const user = await userAt(domain)
    const expected = await answered(user, nowhere)
    expect(JSON.parse(expected)).toMatchObject({ status: 404, body: { error: { code: over } } })

    const unproved = await created()
    await added(unproved.owner, unproved.org, domain)
    expect(await answered(user, unproved.org)).toBe(expected)
    expect(await answered(await auth.signedInUser(), org)).toBe(expected)
    expect(await answered(await userAt(`sub.${domain}`), org)).toBe(expected)
    expect(await answered(await userAt(`x${domain}`), org)).toBe(expected)

    await prove(user, null)
    expect(await answered(user, org)).toBe(expected)
    expect(await joinable(user)).toEqual([])
    await prove(user, new Date().toISOString())
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await answered(user, org)).toBe(expected)
    expect(await joinable(user)).toEqual([])
    await apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })

    await remove(owner, org, domain)
    expect(await answered(user, org)).toBe(expected)
    expect(await joinable(user)).toEqual([])
  })

  it('adds a user once, of eight requests on two instances at once', async () => {
    const { owner, org, domain } = await proved()
    const user = await userAt(domain)
    const calls = Array.from({ length: 8 }, (_, at) =>
      nameOf(join(user, org, at % 2 ? other : auth.server)),
    )
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['done']))
    expect(await trail(owner, org, 'organization.member_added')).toHaveLength(1)
    // The roles of a member stay as they are.
    const params = { org, userId: user.userId }
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['admin'] } })
    expect((await join(user, org)).roles).toEqual(['admin'])
  })
})

describe('a member who was removed', () => {
  it('may not come back by a domain, but by an invitation; one who has left may', async () => {
    const { owner, org, domain } = await proved()
    const [removed, left] = [await userAt(domain), await userAt(domain)]
    for (const user of [removed, left]) await join(user, org)
    await apiOf(left).leaveOrganization.call({ params: { org } })
    expect(await joinable(left)).toHaveLength(1)
    expect(await nameOf(join(left, org))).toBe('done')
    const take = () =>
      apiOf(owner).removeOrganizationMember.call({ params: { org, userId: removed.userId } })
    await take()
    expect(await joinable(removed)).toEqual([])
    expect(await answered(removed, org)).toBe(await answered(removed, crypto.randomUUID()))
    expect(await isIn(removed, org)).toBe(false)
    const token = await invited(owner, org, { email: removed.email })
    await apiOf(removed).acceptOrganizationInvitation.call({ body: { token } })
    await apiOf(removed).leaveOrganization.call({ params: { org } })
    expect(await nameOf(join(removed, org))).toBe('done')
    await take()
    expect(await nameOf(join(removed, org))).toBe(over)
  })

  it('does not come back by an invitation from before, either', async () => {
    const { owner, org, domain } = await proved()
    const user = await userAt(domain)
    const token = await invited(owner, org, { email: user.email, roles: ['admin'] })
    await join(user, org)
    await apiOf(owner).removeOrganizationMember.call({ params: { org, userId: user.userId } })
    const accept = apiOf(user).acceptOrganizationInvitation.call({ body: { token } })
    expect(await nameOf(accept)).toBe('OrganizationInvitationNotFoundError')
    expect(await isIn(user, org)).toBe(false)
  })

  it('is also one who has left with less than the domain gives', async () => {
    const { owner, org, domain } = await proved({ roles: ['admin'] })
    const [lowered, same] = [await userAt(domain), await userAt(domain)]
    for (const user of [lowered, same]) await join(user, org)
    const params = { org, userId: lowered.userId }
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['member'] } })
    for (const user of [lowered, same])
      await apiOf(user).leaveOrganization.call({ params: { org } })
    expect(await nameOf(join(lowered, org))).toBe(over)
    expect(await nameOf(join(same, org))).toBe('done')
  })

  it('has left where they removed themselves, and is forgotten with the account', async () => {
    const { owner, org, domain } = await proved({ roles: ['admin'] })
    const [self, gone] = [await userAt(domain), await userAt(domain)]
    for (const user of [self, gone]) await join(user, org)
    const take = (by: User, { userId }: User) =>
      apiOf(by).removeOrganizationMember.call({ params: { org, userId } })
    await take(self, self)
    expect(await nameOf(join(self, org))).toBe('done')
    await take(owner, gone)
    const rows = async () =>
      (
        await db.execute(
          sql`select user_id from organizations.removed_members where organization_id = ${org}`,
        )
      ).rows
    expect(await rows()).toEqual([{ user_id: gone.userId }])
    await auth.purge(gone)
    other.clock.set(auth.clock.now())
    expect(await rows()).toEqual([])
  })
})

describe('an invitation that is pending', () => {
  const accept = (user: User, token: string) =>
    apiOf(user).acceptOrganizationInvitation.call({ body: { token } })

  it('adds its roles to those of a user who has joined by a domain meanwhile', async () => {
    const { owner, org, domain } = await proved()
    const user = await userAt(domain)
    const token = await invited(owner, org, { email: user.email, roles: ['admin'] })
    auth.clock.advance(1000)
    other.clock.set(auth.clock.now())
    expect((await join(user, org)).roles).toEqual(['member'])
    const answer = await accept(user, token)
    expect(answer.roles).toEqual(['member', 'admin'])
    expect(answer.permissions).toContain('member:invite')
    const [entry] = await trail(owner, org, 'organization.member_roles_changed')
    expect(entry).toMatchObject({
      actor: user.userId,
      target: user.userId,
      details: { before: ['member'], after: ['member', 'admin'], invitedBy: owner.userId },
    })
    expect(await nameOf(accept(user, token))).toBe('OrganizationInvitationNotFoundError')
  })

  it('adds nothing if it is newer than the membership: those who may invite don’t change members', async () => {
    const { owner, org, domain } = await proved()
    const user = await userAt(domain)
    await join(user, org)
    auth.clock.advance(1000)
    other.clock.set(auth.clock.now())
    const token = await invited(owner, org, { email: user.email, roles: ['admin'] })
    expect((await accept(user, token)).roles).toEqual(['member'])
    expect(await trail(owner, org, 'organization.member_roles_changed')).toEqual([])
  })

  it('ends when the roles of the member are changed, so that it doesn’t undo that', async () => {
    const { owner, org, domain } = await proved({ roles: ['admin'] })
    const user = await userAt(domain)
    const token = await invited(owner, org, { email: user.email, roles: ['admin'] })
    await join(user, org)
    const params = { org, userId: user.userId }
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['member'] } })
    expect(await nameOf(accept(user, token))).toBe('OrganizationInvitationNotFoundError')
  })
})

describe('policies and bounds', () => {
  it('of the organization count: its allowed domains, in the same form', async () => {
    const { owner, org, domain } = await proved({ domain: 'xn--bcher-kva.example' })
    const staff = newDomain()
    const boss = await userAt(staff)
    const token = await invited(owner, org, { email: boss.email, roles: ['owner'] })
    await apiOf(boss).acceptOrganizationInvitation.call({ body: { token } })
    const set = (allowedDomains: string[]) =>
      apiOf(boss).updateOrganizationPolicies.call({
        params: { org },
        body: { allowedDomains, currentPassword: boss.password },
      })
    await set([staff])
    const user = await userAt(domain)
    expect(await joinable(user)).toEqual([])
    expect(await join(user, org).catch(({ name, needs }) => [name, needs])).toEqual([
      'OrganizationPolicyError',
      'domain',
    ])
    expect(await set([staff, 'BÜCHER.example'])).toMatchObject({ allowedDomains: [staff, domain] })
    expect(await joinable(user)).toHaveLength(1)
    expect(await nameOf(join(user, org))).toBe('done')
    expect(await nameOf(set([staff, 'no domain']))).toBe('ValidationError')
  })

  it('let in as many as there may be, of seven who join at once', async () => {
    const { owner, org, domain } = await proved()
    const users = await Promise.all(Array.from({ length: 7 }, () => userAt(domain)))
    const answers = await Promise.all(
      users.map((user, at) => nameOf(join(user, org, at % 2 ? other : auth.server))),
    )
    expect(answers.filter((each) => each === 'done')).toHaveLength(4)
    expect(answers.filter((each) => each === 'OrganizationFullError')).toHaveLength(3)
    const params = { org }
    const { items } = await apiOf(owner).listOrganizationMembers.call({ params, query: {} })
    expect(items).toHaveLength(5)
  })
})

describe('joining at the same time', () => {
  type Change = (tx: Parameters<typeof store.remove>[0]) => Promise<unknown>

  /** Joins while the organization is locked, and something else happens in it first. */
  async function joinBehind(org: string, user: User, change: Change) {
    const behind = await db.transaction(async (tx) => {
      await lockOrganization(tx, org)
      const answer = answered(user, org)
      // The request has been read by then.
      await waiting(1)
      await change(tx)
      return { answer }
    })
    return behind.answer
  }

  it('waits for no one in an organization that the caller may not join', async () => {
    const { org } = await proved()
    const strangers = [await auth.signedInUser(), await userAt((await proved()).domain)]
    const answers = await db.transaction(async (tx) => {
      await lockOrganization(tx, org)
      return Promise.all(strangers.map((user) => nameOf(join(user, org))))
    })
    expect(answers).toEqual([over, over])
  })

  const at = auth.clock.now()
  const purgeAt = new Date(at.getTime() + 86_400_000)
  const changes: Record<string, (key: store.DomainKey) => Change> = {
    'the organization is closed':
      ({ organizationId }) =>
      (tx) =>
        membership.close(tx, { organizationId, at, purgeAt }),
    'the domain is removed': (key) => (tx) => store.remove(tx, key),
    'the proof ends':
      ({ domain }) =>
      (tx) =>
        tx.execute(
          sql`update organizations.domains set verified_at = null where domain = ${domain}`,
        ),
  }

  it.each(Object.entries(changes))('as %s makes no member', async (_what, changeOf) => {
    const { org, domain } = await proved()
    const user = await userAt(domain)
    const expected = await answered(user, crypto.randomUUID())
    const change = changeOf({ organizationId: org, domain })
    expect(await joinBehind(org, user, change)).toBe(expected)
    const members = sql`select user_id from organizations.members where user_id = ${user.userId}`
    expect((await db.execute(members)).rows).toEqual([])
  })

  it('as an owner closes the organization leaves no member who is served', async () => {
    const { owner, org, domain } = await proved()
    const users = await Promise.all([1, 2, 3, 4].map(() => userAt(domain)))
    const [closed, ...answers] = await Promise.all([
      nameOf(apiOf(owner).closeOrganization.call({ params: { org }, body: {} })),
      ...users.map((user) => nameOf(join(user, org))),
    ])
    expect(closed).toBe('done')
    for (const each of answers) expect(['done', over]).toContain(each)
    for (const user of users) expect(await isIn(user, org)).toBe(false)
  })

  it.each([
    ['the caller’s address is changed', sql`email = user_id || '@example.com'`],
    ['the caller’s address is no longer proved', sql`email_verified_at = null`],
    ['the caller is suspended', sql`status = 'suspended'`],
  ])('as %s makes no member', async (_what, change) => {
    const { org, domain } = await proved()
    const user = await userAt(domain)
    const behind = await db.transaction(async (tx) => {
      await tx.execute(sql`update svc_auth.users set ${change} where user_id = ${user.userId}`)
      const answer = nameOf(join(user, org))
      await waiting(1)
      return { answer }
    })
    expect(await behind.answer).toBe(over)
  })
})
