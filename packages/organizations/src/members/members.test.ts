import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { lockOrganization, store } from '../membership/membership.ts'
import { organizations as organizationRows } from '../schema.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())

const { apiOf, created, invited, joined, ask, waiting } = stepsOf(auth)

describe('members', () => {
  it('are listed in the order in which they came, page by page', async () => {
    const { owner, org } = await created()
    const users = [owner]
    for (let times = 0; times < 4; times += 1) {
      auth.clock.advance(1)
      users.push(await joined(owner, org))
    }
    const list = apiOf(users.at(-1) ?? owner).listOrganizationMembers
    const first = await list.call({ params: { org }, query: { limit: 3 } })
    const second = await list.call({
      params: { org },
      query: { limit: 3, after: first.next ?? '' },
    })
    const seen = [...first.items, ...second.items]
    expect(seen.map(({ userId }) => userId)).toEqual(users.map(({ userId }) => userId))
    expect(seen.map(({ email }) => email)).toEqual(users.map(({ email }) => email))
    expect(second.next).toBeUndefined()
  })

  it('give and take only what their own roles permit', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const [member, another] = [await joined(owner, org), await joined(owner, org, ['admin'])]
    const set = (by: typeof owner, { userId }: typeof owner, roles: string[]) =>
      nameOf(apiOf(by).setMemberRoles.call({ params: { org, userId }, body: { roles } }))
    expect(await set(admin, member, ['owner'])).toBe('MoreThanOwnRoleError')
    expect(await set(admin, owner, ['member'])).toBe('MoreThanOwnRoleError')
    expect(await set(admin, admin, ['owner', 'admin'])).toBe('MoreThanOwnRoleError')
    expect(await set(member, another, ['member'])).toBe('ForbiddenError')
    expect(await set(admin, member, ['nothing-of-the-kind'])).toBe('OrganizationRoleNotFoundError')
    expect(await set(admin, await auth.signedInUser(), ['member'])).toBe('MemberNotFoundError')
    expect(await set(admin, member, ['admin', 'member'])).toBe('done')
    expect(await set(owner, admin, ['owner'])).toBe('done')
    expect(
      await nameOf(
        apiOf(another).removeOrganizationMember.call({ params: { org, userId: owner.userId } }),
      ),
    ).toBe('MoreThanOwnRoleError')
  })

  it('get nothing from a role of the same name in another organization', async () => {
    const { owner, org } = await created()
    const other = await created('Other')
    const permissions = ['invoice:read', 'member:update']
    const role = { name: 'helper', displayName: 'Helper', permissions }
    const greater = { ...role, permissions: [...permissions, 'invoice:write'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: role })
    await apiOf(other.owner).createOrganizationRole.call({
      params: { org: other.org },
      body: greater,
    })
    const writer = { ...role, name: 'writer', permissions: ['invoice:write'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: writer })
    const [helper, { userId }] = [await joined(owner, org, ['helper']), await joined(owner, org)]
    const given = { params: { org, userId }, body: { roles: ['writer'] } }
    expect(await nameOf(apiOf(helper).setMemberRoles.call(given))).toBe('MoreThanOwnRoleError')
  })

  it('are changed by no member who has lost the role while the change waited', async () => {
    const { owner, org } = await created()
    const [admin, member] = [await joined(owner, org, ['admin']), await joined(owner, org)]
    const { db } = auth.auth
    const params = { org, userId: member.userId }
    const asked = await db.transaction(async (tx) => {
      await lockOrganization(tx, org)
      const removal = nameOf(apiOf(admin).removeOrganizationMember.call({ params }))
      // Its request has been read by then, and waits for the lock.
      await waiting(1)
      await store.setRoles(tx, { organizationId: org, userId: admin.userId }, ['member'])
      return { removal }
    })
    expect(await asked.removal).toBe('ForbiddenError')
  })

  it('need a fresh proof to change roles, and support sessions may not', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org)
    auth.clock.advance('11m')
    const params = { org, userId: member.userId }
    const set = apiOf(owner).setMemberRoles.call({ params, body: { roles: ['admin'] } })
    expect(await nameOf(set)).toBe('RecentAuthenticationRequiredError')
  })

  it('become the owner where the owner hands over', async () => {
    const { owner, org } = await created()
    const heir = await joined(owner, org)
    const body = { userId: heir.userId }
    await apiOf(owner).handOverOrganization.call({ params: { org }, body })
    expect((await apiOf(heir).getOrganization.call({ params: { org } })).roles).toContain('owner')
    expect((await apiOf(owner).getOrganization.call({ params: { org } })).roles).toEqual(['admin'])
  })

  it('are named as the API writes their ids: in capitals, a last owner would hand over to themselves', async () => {
    const { owner, org } = await created()
    const { handOverOrganization: handOver, removeOrganizationMember: remove } = apiOf(owner)
    const member = await joined(owner, org)
    const to = (userId: string) => nameOf(handOver.call({ params: { org }, body: { userId } }))
    expect(await to(owner.userId.toUpperCase())).toBe('ValidationError')
    expect(await to(owner.userId)).toBe('done')
    const userId = member.userId.toUpperCase()
    expect(await nameOf(remove.call({ params: { org, userId } }))).toBe('ValidationError')
    expect((await apiOf(owner).getOrganization.call({ params: { org } })).roles).toEqual(['owner'])
  })
})

describe('a route that gives power', () => {
  it('asks for a fresh proof', async () => {
    const { owner, org } = await created()
    const pay = async () =>
      (await ask(`/orgs/${org}/invoices/pay`, owner, { method: 'POST', body: '{}' })).status
    expect(await pay()).toBe(200)
    auth.clock.advance('11m')
    expect(await pay()).toBe(403)
  })
})

describe('roles of an organization', () => {
  it('permit what was chosen for them, in this organization alone', async () => {
    const { owner, org } = await created()
    const elsewhere = await created()
    const made = await apiOf(owner).createOrganizationRole.call({
      params: { org },
      body: { name: 'clerk', displayName: 'Clerk', permissions: ['invoice:write', 'invoice:read'] },
    })
    expect(made.permissions).toEqual(['invoice:read', 'invoice:write'])
    const clerk = await joined(owner, org, ['clerk'])
    const write = async () => (await ask(`/orgs/${org}/invoices`, clerk, { method: 'POST' })).status
    expect(await write()).toBe(200)
    const params = { org, role: 'clerk' }
    await apiOf(owner).updateOrganizationRole.call({
      params,
      body: { permissions: ['invoice:read'] },
    })
    expect(await write()).toBe(403)
    const foreign = apiOf(elsewhere.owner).inviteToOrganization.call({
      params: { org: elsewhere.org },
      body: { email: 'clerk@example.com', roles: ['clerk'] },
    })
    expect(await nameOf(foreign)).toBe('OrganizationRoleNotFoundError')
    await apiOf(owner).deleteOrganizationRole.call({ params })
    expect((await apiOf(clerk).getOrganization.call({ params: { org } })).roles).toEqual(['member'])
  })

  it('permit no more than those of the member who makes or changes them', async () => {
    const { owner, org } = await created()
    const create = (by: typeof owner, name: string, permissions: string[]) =>
      apiOf(by).createOrganizationRole.call({
        params: { org },
        body: { name, displayName: name, permissions },
      })
    await create(owner, 'maker', ['role:manage', 'invoice:read'])
    await create(owner, 'closer', ['organization:close'])
    const maker = await joined(owner, org, ['maker'])
    expect(await nameOf(create(maker, 'writer', ['invoice:write']))).toBe('MoreThanOwnRoleError')
    expect(await nameOf(create(maker, 'reader', ['invoice:read']))).toBe('done')
    expect(await nameOf(create(maker, 'reader', []))).toBe('OrganizationRoleExistsError')
    expect(await nameOf(create(maker, 'admin', []))).toBe('OrganizationRoleExistsError')
    expect(await nameOf(create(owner, 'odd', ['no:such']))).toBe('ValidationError')
    const widen = (role: string, permissions: string[]) =>
      nameOf(
        apiOf(maker).updateOrganizationRole.call({ params: { org, role }, body: { permissions } }),
      )
    expect(await widen('reader', ['invoice:write'])).toBe('MoreThanOwnRoleError')
    expect(await widen('closer', [])).toBe('MoreThanOwnRoleError')
    expect(
      await nameOf(apiOf(maker).deleteOrganizationRole.call({ params: { org, role: 'closer' } })),
    ).toBe('MoreThanOwnRoleError')
  })

  it('give nothing that the member who deletes them lacks', async () => {
    const { owner, org } = await created()
    const create = (name: string, permissions: string[]) =>
      apiOf(owner).createOrganizationRole.call({
        params: { org },
        body: { name, displayName: name, permissions },
      })
    await create('keeper', ['role:manage'])
    await create('guest', [])
    const keeper = await joined(owner, org, ['keeper'])
    const guest = await joined(owner, org, ['guest'])
    await joined(owner, org, ['guest', 'admin'])
    const remove = (by: typeof owner, role: string) =>
      nameOf(apiOf(by).deleteOrganizationRole.call({ params: { org, role } }))
    // Members without another role would be `member`, and see invoices.
    expect(await remove(keeper, 'keeper')).toBe('MoreThanOwnRoleError')
    expect(await remove(keeper, 'guest')).toBe('MoreThanOwnRoleError')
    const params = { org, userId: guest.userId }
    await apiOf(owner).removeOrganizationMember.call({ params })
    expect(await remove(keeper, 'guest')).toBe('done')
    expect(await remove(owner, 'keeper')).toBe('done')
  })
})

describe('an account', () => {
  it('that is purged leaves its organization to an admin, or it is deleted with the last member', async () => {
    const { owner, org } = await created()
    const [member, admin] = [await joined(owner, org), await joined(owner, org, ['admin'])]
    await auth.purge(owner)
    const params = { org }
    expect(
      (await apiOf({ key: await auth.signIn(admin) }).getOrganization.call({ params })).roles,
    ).toContain('owner')
    expect(
      (await apiOf({ key: await auth.signIn(member) }).getOrganization.call({ params })).roles,
    ).toEqual(['member'])
    const alone = await created()
    await auth.purge(alone.owner)
    const root = await auth.signedInUser({ role: 'superadmin' })
    const noted = async (act: string, target: string) =>
      (await auth.call('listAuditEvents', undefined, root.key, { query: { act, target } })).body
        .data
    const details = (organizationId: string) => ({
      details: { organizationId, reason: 'last owner deleted' },
    })
    expect(await noted('organization.handed_over', admin.userId)).toMatchObject([details(org)])
    expect(await noted('organization.closed', alone.org)).toMatchObject([details(alone.org)])
    await auth.sweep()
    const left = await auth.auth.db
      .select({ id: organizationRows.organizationId })
      .from(organizationRows)
    expect(left).not.toContainEqual({ id: alone.org })
    expect(left).toContainEqual({ id: org })
  })
})

describe('a closed organization', () => {
  it('can be opened again by an owner until it is deleted', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const closed = apiOf(admin).closeOrganization.call({ params: { org }, body: {} })
    expect(await nameOf(closed)).toBe('ForbiddenError')
    const { purgeAt } = await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    const { organizations: listed } = await apiOf(owner).listOrganizations.call()
    expect(listed).toMatchObject([{ organizationId: org, purgeAt }])
    expect((await apiOf(admin).listOrganizations.call()).organizations).toEqual([])
    const reopen = (by: typeof owner) =>
      nameOf(apiOf(by).reopenOrganization.call({ body: { organizationId: org } }))
    expect(await reopen(admin)).toBe('OrganizationNotFoundError')
    expect(await reopen(owner)).toBe('done')
    expect(await reopen(owner)).toBe('OrganizationNotFoundError')
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    auth.clock.advance('30d')
    const key = await auth.signIn(owner)
    expect(await reopen({ ...owner, key })).toBe('OrganizationNotFoundError')
    await auth.sweep()
    expect((await apiOf({ key }).listOrganizations.call()).organizations).toEqual([])
  })
})

describe('an invitation', () => {
  it('makes its reader a member, once, and for the address that was invited', async () => {
    const { owner, org } = await created('Divers')
    const [reader, thief] = [await auth.signedInUser(), await auth.signedInUser()]
    const token = await invited(owner, org, { email: reader.email, roles: ['admin'] })
    const accept = (by: typeof owner) =>
      nameOf(apiOf(by).acceptOrganizationInvitation.call({ body: { token } }))
    expect(await accept(thief)).toBe('OrganizationInvitationNotFoundError')
    const prove = (at: string | null) =>
      auth.auth.db.execute(
        sql`update svc_auth.users set email_verified_at = ${at} where user_id = ${reader.userId}`,
      )
    await prove(null)
    expect(await accept(reader)).toBe('OrganizationInvitationNotFoundError')
    await prove(new Date().toISOString())
    const all = await Promise.all(Array.from({ length: 8 }, () => accept(reader)))
    expect(all.filter((each) => each === 'done')).toHaveLength(1)
    expect((await apiOf(reader).getOrganization.call({ params: { org } })).roles).toEqual(['admin'])
  })

  it('is refused once it was cancelled, or its inviter may invite no more, or it has expired', async () => {
    const { owner, org } = await created()
    const accept = (by: typeof owner, token: string) =>
      nameOf(apiOf(by).acceptOrganizationInvitation.call({ body: { token } }))
    const over = 'OrganizationInvitationNotFoundError'

    const first = await auth.signedInUser()
    const cancelled = await invited(owner, org, { email: first.email })
    const { invitations } = await apiOf(owner).listOrganizationInvitations.call({ params: { org } })
    expect(invitations).toMatchObject([{ email: first.email, roles: ['member'] }])
    const [{ invitationId } = { invitationId: '' }] = invitations
    const again = apiOf(owner).inviteToOrganization.call({
      params: { org },
      body: { email: first.email },
    })
    expect(await nameOf(again)).toBe('AlreadyInvitedError')
    await apiOf(owner).cancelOrganizationInvitation.call({ params: { org, invitationId } })
    expect(await accept(first, cancelled)).toBe(over)

    const admin = await joined(owner, org, ['admin'])
    const byFormer = await invited(admin, org, { email: first.email, roles: ['admin'] })
    const params = { org, userId: admin.userId }
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['member'] } })
    expect(await accept(first, byFormer)).toBe(over)

    const second = await auth.signedInUser()
    const late = await invited(owner, org, { email: second.email })
    auth.clock.advance('7d')
    expect(await accept({ ...second, key: await auth.signIn(second) }, late)).toBe(over)
  })

  it('is cancelled by no member whose own roles permit less than it gives', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const { email } = await auth.signedInUser()
    await invited(owner, org, { email, roles: ['owner'] })
    const { invitations } = await apiOf(admin).listOrganizationInvitations.call({ params: { org } })
    const [{ invitationId } = { invitationId: '' }] = invitations
    const cancel = (by: typeof owner) =>
      nameOf(apiOf(by).cancelOrganizationInvitation.call({ params: { org, invitationId } }))
    expect(await cancel(admin)).toBe('MoreThanOwnRoleError')
    const still = await apiOf(owner).listOrganizationInvitations.call({ params: { org } })
    expect(still.invitations).toHaveLength(1)
    expect(await cancel(owner)).toBe('done')
    expect(await cancel(owner)).toBe('OrganizationInvitationNotFoundError')
  })

  it('gives no role that was deleted, also if another one of its name is made later', async () => {
    const { owner, org } = await created()
    const params = { org }
    const clerk = (permissions: string[]) =>
      apiOf(owner).createOrganizationRole.call({
        params,
        body: { name: 'clerk', displayName: 'Clerk', permissions },
      })
    await clerk(['invoice:read'])
    const reader = await auth.signedInUser()
    const token = await invited(owner, org, { email: reader.email, roles: ['clerk'] })
    await apiOf(owner).deleteOrganizationRole.call({ params: { org, role: 'clerk' } })
    const accept = () =>
      nameOf(apiOf(reader).acceptOrganizationInvitation.call({ body: { token } }))
    expect(await accept()).toBe('OrganizationInvitationNotFoundError')
    await clerk(['invoice:write'])
    expect(await accept()).toBe('OrganizationInvitationNotFoundError')
  })

  it('makes no member of an organization that is closed at the same time', async () => {
    const { owner, org } = await created()
    const readers = await Promise.all(Array.from({ length: 6 }, () => auth.signedInUser()))
    const tokens: string[] = []
    for (const { email } of readers) tokens.push(await invited(owner, org, { email }))
    const last = await auth.signedInUser()
    const lastToken = await invited(owner, org, { email: last.email })
    const [closed, ...accepted] = await Promise.all([
      nameOf(apiOf(owner).closeOrganization.call({ params: { org }, body: {} })),
      ...readers.map((reader, at) =>
        nameOf(
          apiOf(reader).acceptOrganizationInvitation.call({ body: { token: tokens[at] ?? '' } }),
        ),
      ),
    ])
    expect(closed).toBe('done')
    for (const each of accepted)
      expect(['done', 'OrganizationInvitationNotFoundError']).toContain(each)
    const late = apiOf(last).acceptOrganizationInvitation.call({ body: { token: lastToken } })
    expect(await nameOf(late)).toBe('OrganizationInvitationNotFoundError')
    for (const reader of readers) {
      expect((await ask(`/orgs/${org}/board`, reader)).status).toBe(404)
    }
  })
})
