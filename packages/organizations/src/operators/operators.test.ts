import { createRole } from '@svc/auth/server'
import type { TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { organizationChanged } from '../membership/events.ts'
import { boardChanged, nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations({ SVC_RATE_LIMIT: 'on' })
afterAll(() => auth.stop())
const { apiOf, created, invited, joined, ask, listen } = stepsOf(auth)

const roleOf = async (name: string, permissions: string[]) => {
  await auth.server.within(() => createRole({ name, displayName: name, priority: 50, permissions }))
  return () => auth.signedInUser({ role: name })
}
const reader = await (await roleOf('reader', ['organization:read']))()
const newManager = await roleOf('manager', [
  'organization:read',
  'organization:manage',
  'user:read',
])
const manager = await newManager()
const root = await auth.signedInUser({ role: 'superadmin' })

const reason = 'Ticket 7'
const close = (org: string, by = manager, why = reason) =>
  apiOf(by).closeAnyOrganization.call({ params: { organizationId: org }, body: { reason: why } })
const reopen = (org: string, by = manager, why = reason) =>
  apiOf(by).reopenAnyOrganization.call({ params: { organizationId: org }, body: { reason: why } })
const addOwner = (org: string, { userId }: { userId: string }, by = manager, why = reason) =>
  apiOf(by).addAnyOrganizationOwner.call({
    params: { organizationId: org },
    body: { userId, reason: why },
  })
const clear = (org: string, by = manager, why = reason) =>
  apiOf(by).clearAnyOrganizationPolicies.call({
    params: { organizationId: org },
    body: { reason: why },
  })
const read = (org: string, by = reader) =>
  apiOf(by).readAnyOrganization.call({ params: { organizationId: org } })
const search = (query: Record<string, string | number>, by = reader) =>
  apiOf(by).searchOrganizations.call({ query })
const namesOf = async (query: Record<string, string | number>) =>
  (await search(query)).items.map(({ name }) => name)
const rolesIn = async (org: string, user: TestUser) =>
  (await apiOf(user).getOrganization.call({ params: { org } })).roles

/** The newest line of the trail about something. */
async function lineOf(target: string) {
  const query = { target }
  const { body } = await auth.call('listAuditEvents', undefined, root.key, { query })
  return body.data[0]
}

/** How many statements wait for a lock. */
async function waitingFor(db: typeof auth.auth.db) {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows[0]?.count
}

const nowhere = () => crypto.randomUUID()

describe('an operator who may see organizations', () => {
  it('finds them by the beginning of a name in any case, in its order and page by page', async () => {
    for (const name of ['Zebra two', 'zebra One', 'ZEBRA three', 'A zebra', 'Zeb'])
      await created(name)
    expect(await namesOf({ name: 'zEBRA' })).toEqual(['zebra One', 'ZEBRA three', 'Zebra two'])
    const first = await search({ name: 'zebra', limit: 2 })
    expect(first.items).toHaveLength(2)
    expect(await namesOf({ name: 'zebra', limit: 2, after: first.next ?? '' })).toEqual([
      'Zebra two',
    ])
    // A wildcard of SQL is a character like others.
    expect(await namesOf({ name: 'zeb%' })).toEqual([])
  })

  it('finds them by the beginning of a slug, and refuses the place in another order', async () => {
    for (const name of ['Quokka', 'Quokka', 'Quoll']) await created(name)
    const found = (await search({ slug: 'Quok', limit: 1 })).items
    expect(found).toMatchObject([{ name: 'Quokka', slug: 'quokka', state: 'open' }])
    const { next = '' } = await search({ slug: 'quo', limit: 1 })
    const second = await search({ slug: 'quo', after: next })
    expect(second.items.map(({ slug }) => slug)).toEqual([
      expect.stringMatching(/^quokka-[0-9a-f]{8}$/),
      'quoll',
    ])
    expect(await nameOf(search({ name: 'quo', after: next }))).toBe('ValidationError')
  })

  it('finds those of a member, the newest first, and the closed ones', async () => {
    const { owner, org } = await created('Older')
    const other = await created('Newer')
    const token = await invited(other.owner, other.org, { email: owner.email })
    await apiOf(owner).acceptOrganizationInvitation.call({ body: { token } })
    auth.clock.advance(1000)
    const { userId } = owner
    await apiOf(owner).createOrganization.call({ body: { name: 'Newest' } })
    const all = await namesOf({ userId })
    expect(all[0]).toBe('Newest')
    expect(all.toSorted()).toEqual(['Newer', 'Newest', 'Older'])
    const pages = await search({ userId, limit: 1 })
    expect((await search({ userId, limit: 2, after: pages.next ?? '' })).items).toHaveLength(2)
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await namesOf({ userId, state: 'closed' })).toEqual(['Older'])
    expect(await namesOf({ userId, state: 'open', name: 'new' })).toEqual(['Newer', 'Newest'])
    expect(await namesOf({ userId: nowhere() })).toEqual([])
  })

  it('reads what is in one, and gets a 404 where there is none', async () => {
    const { owner, org } = await created('Counted')
    await joined(owner, org)
    await joined(owner, org, ['owner'])
    await invited(owner, org, { email: 'waiting@example.com' })
    expect(await read(org)).toMatchObject({
      name: 'Counted',
      state: 'open',
      isClosedByOperator: false,
      memberCount: 3,
      ownerCount: 2,
      invitationCount: 1,
    })
    auth.clock.advance('8d')
    await auth.proveRecent(manager)
    expect(await read(org)).toMatchObject({ invitationCount: 0 })
    expect(await nameOf(read(nowhere()))).toBe('OrganizationNotFoundError')
  })

  it('lists its members, by names only with the permission to see users', async () => {
    const { owner, org } = await created()
    auth.clock.advance(1000)
    const member = await joined(owner, org)
    const list = (by: TestUser, query: { role?: 'owner'; limit?: number; after?: string } = {}) =>
      apiOf(by).listAnyOrganizationMembers.call({
        params: { organizationId: org },
        query,
      })
    expect((await list(manager)).items).toMatchObject([
      { userId: owner.userId, email: owner.email, roles: ['owner'] },
      { userId: member.userId, email: member.email, roles: ['member'] },
    ])
    const unnamed = await list(reader)
    expect(unnamed.items.map(({ email }) => email)).toEqual([null, null])
    expect(JSON.stringify(unnamed)).not.toContain('@')
    const { items, next = '' } = await list(reader, { limit: 1 })
    expect(items).toMatchObject([{ userId: owner.userId }])
    expect((await list(reader, { after: next })).items).toMatchObject([{ userId: member.userId }])
    expect((await list(reader, { role: 'owner' })).items).toMatchObject([{ userId: owner.userId }])
    const unknown = { params: { organizationId: nowhere() }, query: {} }
    expect(await nameOf(apiOf(reader).listAnyOrganizationMembers.call(unknown))).toBe(
      'OrganizationNotFoundError',
    )
  })

  it('is no member: the organization’s own routes stay hidden', async () => {
    const { org } = await created()
    expect((await ask(`/orgs/${org}/invoices`, root)).status).toBe(404)
    expect((await ask(`/_auth/organizations/${org}`, root)).status).toBe(404)
  })

  it('may look so often in a minute', async () => {
    const { org } = await created()
    const hasty = await newManager()
    const asked = await Promise.all(Array.from({ length: 121 }, () => nameOf(read(org, hasty))))
    expect(asked.filter((name) => name !== 'done')).toEqual(['TooManyRequestsError'])
    const acts = await Promise.all(Array.from({ length: 61 }, () => nameOf(reopen(org, hasty))))
    expect(acts.filter((name) => name !== 'ConflictError')).toEqual(['TooManyRequestsError'])
  })
})

describe('each operation of operators', () => {
  it('asks for its permission of the server, which no role of an organization grants', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const looks = (by: TestUser) => [
      search({}, by),
      read(org, by),
      apiOf(by).listAnyOrganizationMembers.call({ params: { organizationId: org }, query: {} }),
    ]
    const acts = (by: TestUser) => [
      close(org, by),
      reopen(org, by),
      addOwner(org, member, by),
      clear(org, by),
    ]
    const refused = async (calls: Promise<unknown>[]) =>
      new Set(await Promise.all(calls.map(nameOf)))
    expect(await refused([...looks(owner), ...acts(owner)])).toEqual(new Set(['ForbiddenError']))
    expect(await refused(looks(reader))).toEqual(new Set(['done']))
    expect(await refused(acts(reader))).toEqual(new Set(['ForbiddenError']))
    expect(await read(org)).toMatchObject({ state: 'open', ownerCount: 1 })
  })

  it('that changes something asks for a fresh proof and a reason that can be read', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    const acts = (by: TestUser, why = reason) =>
      Promise.all(
        [
          close(org, by, why),
          reopen(org, by, why),
          addOwner(org, member, by, why),
          clear(org, by, why),
        ].map(nameOf),
      )
    for (const why of ['', '  ', '\u200b\u202e', 'x'.repeat(501)]) {
      expect(new Set(await acts(manager, why))).toEqual(new Set(['ValidationError']))
    }
    const old = await newManager()
    auth.clock.advance('2h')
    await auth.proveRecent(manager)
    expect(new Set(await acts(old))).toEqual(new Set(['RecentAuthenticationRequiredError']))
    expect(await read(org)).toMatchObject({ state: 'open', ownerCount: 1 })
  })

  it('is refused where the permission or the key was lost while it waited', async () => {
    const { org } = await created()
    const { db } = auth.auth
    const [demoted, signedOut] = [await newManager(), await newManager()]
    const { first, second } = await db.transaction(async (tx) => {
      await tx.execute(
        sql`select from svc_auth.users where user_id in (${demoted.userId}, ${signedOut.userId}) for update`,
      )
      const waiting = {
        first: nameOf(close(org, demoted)),
        second: nameOf(close(org, signedOut)),
      }
      await expect.poll(() => waitingFor(db)).toBe(2)
      await tx.execute(
        sql`update svc_auth.users set role = 'user' where user_id = ${demoted.userId}`,
      )
      await tx.execute(
        sql`update svc_auth.device_keys set state = 'revoked' where key_id = ${signedOut.key.keyId}`,
      )
      return waiting
    })
    expect([await first, await second]).toEqual(['ForbiddenError', 'UnauthorizedError'])
    expect(await read(org)).toMatchObject({ state: 'open' })
  })
})

describe('closing any organization', () => {
  it('ends it for its members, and the trail has who did it, and why', async () => {
    const { owner, org } = await created()
    const board = async () => (await ask(`/orgs/${org}/board`, owner)).status
    expect(await board()).toBe(200)
    const at = auth.clock.now().getTime()
    const { purgeAt } = await close(org, manager, 'Abuse\u202e\nof it')
    expect(Date.parse(purgeAt)).toBe(at + 30 * 86_400_000)
    expect(await board()).toBe(404)
    expect(await read(org)).toMatchObject({ state: 'closed', isClosedByOperator: true, purgeAt })
    expect(await lineOf(org)).toMatchObject({
      act: 'organization.closed',
      actor: manager.userId,
      keyId: manager.key.keyId,
      details: { organizationId: org, reason: 'Abuse of it', by: 'operator' },
    })
    expect(await nameOf(close(org))).toBe('ConflictError')
    expect(await nameOf(close(nowhere()))).toBe('OrganizationNotFoundError')
  })

  it('ends streams that follow it within a second', async () => {
    const [{ owner, org }, witness] = [await created(), await created()]
    const [heard, elsewhere] = [await listen(owner, org), await listen(witness.owner, witness.org)]
    // What is said elsewhere afterwards has arrived, so what was said here before would have.
    const saidTo = async () => {
      const text = crypto.randomUUID()
      await boardChanged.of(org).emit({ text })
      await boardChanged.of(witness.org).emit({ text })
      await expect.poll(() => elsewhere.heard).toContain(text)
      return heard.heard.includes(text)
    }
    expect(await saidTo()).toBe(true)
    await close(org)
    await expect.poll(saidTo).toBe(false)
  })

  it('is undone by an operator alone, until it is deleted', async () => {
    const { owner, org } = await created()
    await close(org)
    const own = () =>
      nameOf(apiOf(owner).reopenOrganization.call({ body: { organizationId: org } }))
    expect(await own()).toBe('OrganizationNotFoundError')
    const { organizations: listed } = await apiOf(owner).listOrganizations.call()
    expect(listed).toEqual([])
    await reopen(org, manager, 'A mistake')
    expect(await rolesIn(org, owner)).toEqual(['owner'])
    expect(await read(org)).toMatchObject({ state: 'open', isClosedByOperator: false })
    expect(await lineOf(org)).toMatchObject({
      act: 'organization.reopened',
      actor: manager.userId,
      details: { reason: 'A mistake', by: 'operator' },
    })
    expect(await nameOf(reopen(org))).toBe('ConflictError')
    // Closed by its owner afterwards, it is the owner's to open.
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await own()).toBe('done')
    await close(org)
    auth.clock.advance('31d')
    await auth.proveRecent(manager)
    expect(await nameOf(reopen(org))).toBe('OrganizationNotFoundError')
    await auth.sweep()
    expect(await nameOf(read(org))).toBe('OrganizationNotFoundError')
  })

  it('happens once where sixteen ask at once', async () => {
    const { org } = await created()
    const asked = await Promise.all(Array.from({ length: 16 }, () => nameOf(close(org))))
    expect(asked.filter((name) => name === 'done')).toHaveLength(1)
    expect(asked.filter((name) => name === 'ConflictError')).toHaveLength(15)
  })
})

describe('a further owner of an organization whose owners can’t be reached', () => {
  it('is one of its members, and the trail has who did it, and why', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    await addOwner(org, member, manager, 'The owner has died')
    expect(await rolesIn(org, member)).toEqual(['owner', 'member'])
    expect(await rolesIn(org, owner)).toEqual(['owner'])
    expect(await lineOf(member.userId)).toMatchObject({
      act: 'organization.owner_added',
      actor: manager.userId,
      details: { organizationId: org, reason: 'The owner has died', by: 'operator' },
    })
    expect(await nameOf(addOwner(org, member))).toBe('ConflictError')
    const stranger = await auth.signedInUser()
    expect(await nameOf(addOwner(org, stranger))).toBe('MemberNotFoundError')
    expect(await nameOf(addOwner(org, { userId: nowhere() }))).toBe('MemberNotFoundError')
    expect(await nameOf(addOwner(nowhere(), member))).toBe('OrganizationNotFoundError')
  })

  it('is never the operator', async () => {
    const { owner, org } = await created()
    const token = await invited(owner, org, { email: manager.email })
    await apiOf(manager).acceptOrganizationInvitation.call({ body: { token } })
    expect(await nameOf(addOwner(org, manager))).toBe('ForbiddenError')
    const userId = manager.userId.toUpperCase()
    expect(await nameOf(addOwner(org, { userId }))).toBe('ValidationError')
    expect(await rolesIn(org, manager)).toEqual(['member'])
  })

  it('can sign in, and the organization is open', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    await auth.proveRecent(root)
    const params = { userId: member.userId }
    expect(await auth.call('suspendUser', {}, root.key, { params })).toMatchObject({ status: 204 })
    expect(await nameOf(addOwner(org, member))).toBe('ConflictError')
    const other = await joined(owner, org)
    await close(org)
    expect(await nameOf(addOwner(org, other))).toBe('ConflictError')
    expect(await read(org)).toMatchObject({ ownerCount: 1 })
  })
})

describe('clearing the policies that no owner can meet any more', () => {
  const unmeetable = (org: string) =>
    auth.auth.db.execute(
      sql`update organizations.organizations set policies = '{"waysIn":["dropped"]}' where organization_id = ${org}`,
    )

  it('lets the members in from their next request on, and the trail has what was asked, who did it, and why', async () => {
    const [{ owner, org }, other] = [await created(), await created()]
    for (const each of [org, other.org]) await unmeetable(each)
    const asks = async () => (await ask(`/orgs/${org}/board`, owner)).body.error?.code ?? 'served'
    expect(await asks()).toBe('OrganizationPolicyError')
    const before = { requireSecondFactor: false, waysIn: ['dropped'] }
    expect(await read(org)).toMatchObject({ policies: before })
    const changed: string[] = []
    onTestFinished(
      organizationChanged.subscribe(({ organizationId }) => {
        changed.push(organizationId)
      }),
    )
    await clear(org, manager, 'Its provider is gone')
    expect(await asks()).toBe('served')
    expect(await read(org)).toMatchObject({ policies: { requireSecondFactor: false } })
    expect(await read(other.org)).toMatchObject({ policies: before })
    expect(await lineOf(org)).toMatchObject({
      act: 'organization.policies_updated',
      actor: manager.userId,
      details: {
        organizationId: org,
        reason: 'Its provider is gone',
        by: 'operator',
        before,
        after: { requireSecondFactor: false },
      },
    })
    await expect.poll(() => changed).toContain(org)
  })

  it('happens once where sixteen ask at once, and where there are some', async () => {
    const { owner, org } = await created()
    await unmeetable(org)
    const asked = await Promise.all(Array.from({ length: 16 }, () => nameOf(clear(org))))
    expect(asked.filter((name) => name === 'done')).toHaveLength(1)
    expect(asked.filter((name) => name === 'ConflictError')).toHaveLength(15)
    // Its owner has set some and ended them.
    const body = { requireSecondFactor: false }
    await apiOf(owner).updateOrganizationPolicies.call({ params: { org }, body })
    expect(await nameOf(clear(org))).toBe('ConflictError')
    expect(await nameOf(clear(nowhere()))).toBe('OrganizationNotFoundError')
  })
})
