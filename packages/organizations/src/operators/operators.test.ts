import type { TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { organizationChanged } from '../membership/events.ts'
import { boardChanged, nameOf } from '../test-organizations.ts'
import { nowhere, startTestOperators } from './test-operators.ts'

const operators = await startTestOperators()
const { auth, apiOf, created, invited, joined, ask, listen, lineOf, waiting } = operators
const { reader, manager, newManager, root, reason } = operators
const { close, reopen, addOwner, clear, read, search } = operators
afterAll(() => auth.stop())

const rolesIn = async (org: string, user: TestUser) =>
  (await apiOf(user).getOrganization.call({ params: { org } })).roles

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
      const asked = {
        first: nameOf(close(org, demoted)),
        second: nameOf(close(org, signedOut)),
      }
      await waiting(2)
      await tx.execute(
        sql`update svc_auth.users set role = 'user' where user_id = ${demoted.userId}`,
      )
      await tx.execute(
        sql`update svc_auth.device_keys set state = 'revoked' where key_id = ${signedOut.key.keyId}`,
      )
      return asked
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
