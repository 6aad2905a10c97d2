import { randomUUID, sign } from 'node:crypto'
import { createTestKey, type TestKey, type TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { store } from '../membership/membership.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
const other = await auth.secondInstance()
afterAll(() => auth.stop())
const { apiOf, created, joined, ask, accountOf, serviceKeyOf, waiting } = stepsOf(auth)

/** An organization with the key of a program of its own. */
async function withMachine(roles = ['member']) {
  const { owner, org } = await created()
  const userId = await accountOf(owner, org, roles)
  return { owner, org, userId, key: await serviceKeyOf(owner, org, userId) }
}

const board = async (org: string, key: TestKey, at = auth.server) =>
  (await ask(`/orgs/${org}/board`, { key }, { at })).status

/** On both instances. */
function everywhere(org: string, key: TestKey) {
  other.clock.set(auth.clock.now())
  return Promise.all([auth.server, other].map((at) => board(org, key, at)))
}

describe('a machine key of an organization', () => {
  it('calls the routes of its organization with the roles of its service account, and of no other', async () => {
    const { org, key } = await withMachine()
    const elsewhere = await created('Elsewhere')
    expect(await everywhere(org, key)).toEqual([200, 200])
    const invoices = await ask(`/orgs/${org}/invoices`, { key })
    expect(invoices).toEqual({ status: 200, body: { of: org, fencedTo: org } })
    const add = await ask(`/orgs/${org}/invoices`, { key }, { method: 'POST' })
    expect(add).toMatchObject({ status: 403, body: { error: { code: 'ForbiddenError' } } })
    expect(await ask(`/orgs/${elsewhere.org}/board`, { key })).toMatchObject({
      status: 404,
      body: { error: { code: 'OrganizationNotFoundError' } },
    })
    expect((await apiOf({ key }).getOrganization.call({ params: { org } })).roles).toEqual([
      'member',
    ])
  })

  it('calls them by a message signature too, and no route of another organization (RFC 9421)', async () => {
    const { org, key } = await withMachine()
    const elsewhere = await created('Elsewhere')
    const signed = async (path: string) => {
      const seconds = Math.floor(auth.clock.now().getTime() / 1000)
      const input = `("@method" "@target-uri");created=${seconds};keyid="${key.keyId}";nonce="${randomUUID()}";tag="svc"`
      const base = `"@method": GET\n"@target-uri": ${auth.url}${path}\n"@signature-params": ${input}`
      const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key.privateKey))
      const own = { key: pkcs8, format: 'der', type: 'pkcs8', dsaEncoding: 'ieee-p1363' } as const
      const signature = sign('sha256', Buffer.from(base), own).toString('base64')
      const headers = { 'signature-input': `sig=${input}`, signature: `sig=:${signature}:` }
      return (await fetch(`${auth.url}${path}`, { headers })).status
    }
    expect(await signed(`/orgs/${org}/board`)).toBe(200)
    expect(await signed(`/orgs/${elsewhere.org}/board`)).toBe(404)
  })

  it('gets nothing from a role of the same name in another organization', async () => {
    const { owner, org } = await created()
    const elsewhere = await created('Elsewhere')
    const role = (by: TestUser, at: string, name: string, permissions: string[]) =>
      apiOf(by).createOrganizationRole.call({
        params: { org: at },
        body: { name, displayName: name, permissions },
      })
    await role(owner, org, 'helper', ['member:remove'])
    await role(elsewhere.owner, elsewhere.org, 'helper', ['member:remove', 'invoice:write'])
    await role(owner, org, 'writer', ['invoice:write'])
    const key = await serviceKeyOf(owner, org, await accountOf(owner, org, ['helper']))
    const { userId } = await joined(owner, org, ['writer'])
    const removed = apiOf({ key }).removeOrganizationMember.call({ params: { org, userId } })
    expect(await nameOf(removed)).toBe('MoreThanOwnRoleError')
  })

  it('is changed without a lock on the account of anyone else, even if the request names one', async () => {
    const { owner, org } = await created()
    const { userId } = await auth.signedInUser()
    const locked = await auth.auth.db.transaction(async (tx) => {
      await tx.execute(sql`select from svc_auth.users where user_id = ${userId} for update`)
      const change = apiOf(owner).updateServiceAccount.call({
        params: { org, userId },
        body: { roles: ['member'] },
      })
      return nameOf(change)
    })
    expect(locked).toBe('ServiceAccountNotFoundError')
  })

  it('proves nothing, manages no person, and calls no operation that is for people', async () => {
    const { owner, org, userId, key } = await withMachine(['admin'])
    const params = { org, userId }
    const body = { roles: ['member'] }
    const refused = [
      (await ask(`/orgs/${org}/invoices/pay`, { key }, { method: 'POST', body: '{}' })).body.error
        .code,
      await nameOf(apiOf({ key }).updateServiceAccount.call({ params, body })),
      await nameOf(apiOf({ key }).leaveOrganization.call({ params: { org } })),
      await nameOf(apiOf({ key }).listOrganizations.call()),
      await nameOf(apiOf({ key }).createOrganization.call({ body: { name: 'Mine' } })),
      await nameOf(apiOf({ key }).exportUserData.call()),
      await nameOf(apiOf({ key }).listKeys.call({ body: {} })),
    ]
    expect(refused).toEqual(refused.map(() => 'ForbiddenError'))
    const machine = await createTestKey()
    const own = { ...machine.registration, permissions: [] }
    expect((await auth.call('createMachineKey', own, owner.key)).status).toBeLessThan(300)
    expect(await board(org, machine)).toBe(403)
    expect((await ask(`/orgs/${org}/invoices`, { key: machine })).status).toBe(403)
    expect((await auth.call('getAuthSession', undefined, key)).status).toBe(200)
  })

  it('stays when its maker has left the organization, and the device that added it is signed out', async () => {
    const { owner, org } = await created()
    const maker = await joined(owner, org, ['admin'])
    const key = await serviceKeyOf(maker, org, await accountOf(maker, org, ['admin']))
    const device = await auth.signIn(maker)
    const body = { keyId: maker.key.keyId }
    expect((await auth.call('revokeKey', body, device)).status).toBeLessThan(300)
    await apiOf({ key: device }).leaveOrganization.call({ params: { org } })
    await auth.purge({ ...maker, key: await auth.signIn(maker) })
    expect(await everywhere(org, key)).toEqual([200, 200])
  })

  it('is refused on its next request, on every instance, once it is revoked or its account is gone', async () => {
    const { owner, org, userId, key } = await withMachine()
    const second = await serviceKeyOf(owner, org, userId)
    const params = { org, userId }
    const { keys } = await apiOf(owner).listServiceKeys.call({ params })
    expect(keys.map(({ keyId }) => keyId).toSorted()).toEqual([key.keyId, second.keyId].toSorted())
    await apiOf(owner).revokeServiceKey.call({ params: { ...params, keyId: key.keyId } })
    expect(await everywhere(org, key)).toEqual([401, 401])
    expect(await everywhere(org, second)).toEqual([200, 200])
    await apiOf(owner).deleteServiceAccount.call({ params })
    expect(await everywhere(org, second)).toEqual([401, 401])
    expect(await nameOf(apiOf(owner).listServiceKeys.call({ params }))).toBe(
      'ServiceAccountNotFoundError',
    )
  })

  it('gets 404 at once where its organization is closed, and its account is deleted with it', async () => {
    const { owner, org, userId, key } = await withMachine()
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await everywhere(org, key)).toEqual([404, 404])
    auth.clock.advance('30d')
    await auth.sweep()
    const { rows } = await auth.auth.db.execute(
      sql`select from svc_auth.users where user_id = ${userId}`,
    )
    expect(rows).toEqual([])
    expect(await board(org, key)).toBe(401)
  })
})

describe('a service account', () => {
  it('never outlives the organization that it belongs to', async () => {
    const { owner, org, userId } = await withMachine()
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    auth.clock.advance('30d')
    // As if its last member were purged after a sweep has looked for accounts, and before it deletes organizations.
    await store.purge(auth.auth.db, auth.clock.now())
    await auth.sweep()
    const { rows } = await auth.auth.db.execute(
      sql`select from svc_auth.users where user_id = ${userId}
        union all select from organizations.organizations where organization_id = ${org}`,
    )
    expect(rows).toEqual([])
  })

  it('gets no more than its maker may do, and no key of a member who may do less', async () => {
    const { owner, org, userId } = await withMachine(['admin'])
    await apiOf(owner).createOrganizationRole.call({
      params: { org },
      body: { name: 'keeper', displayName: 'Keeper', permissions: ['machine:manage'] },
    })
    const [keeper, member] = [await joined(owner, org, ['keeper']), await joined(owner, org)]
    const params = { org, userId }
    const { registration } = await createTestKey()
    const make = (by: TestUser, roles: string[]) =>
      nameOf(apiOf(by).createServiceAccount.call({ params: { org }, body: { name: 'X', roles } }))
    const api = apiOf(keeper)
    expect([
      await make(member, ['member']),
      await make(keeper, ['admin']),
      await make(keeper, ['keeper']),
      await make(owner, ['owner']),
      await make(owner, ['none-such']),
      await nameOf(api.createServiceKey.call({ params, body: registration })),
      await nameOf(api.updateServiceAccount.call({ params, body: { roles: ['keeper'] } })),
      await nameOf(api.deleteServiceAccount.call({ params })),
    ]).toEqual([
      'ForbiddenError',
      'MoreThanOwnRoleError',
      'done',
      'ValidationError',
      'OrganizationRoleNotFoundError',
      'MoreThanOwnRoleError',
      'MoreThanOwnRoleError',
      'MoreThanOwnRoleError',
    ])
    auth.clock.advance('11m')
    expect(await make(owner, ['member'])).toBe('RecentAuthenticationRequiredError')
  })

  it('keeps its roles when its maker loses theirs, and has none left of a role that was deleted', async () => {
    const { owner, org } = await created()
    const maker = await joined(owner, org, ['admin'])
    const userId = await accountOf(maker, org, ['admin'])
    const key = await serviceKeyOf(maker, org, userId)
    const ofMaker = { org, userId: maker.userId }
    await apiOf(owner).setMemberRoles.call({ params: ofMaker, body: { roles: ['member'] } })
    const add = async () => (await ask(`/orgs/${org}/invoices`, { key }, { method: 'POST' })).status
    expect(await add()).toBe(200)
    await apiOf(owner).createOrganizationRole.call({
      params: { org },
      body: { name: 'clerk', displayName: 'Clerk', permissions: ['invoice:read', 'invoice:write'] },
    })
    const params = { org, userId }
    await apiOf(owner).updateServiceAccount.call({ params, body: { roles: ['clerk'] } })
    expect(await add()).toBe(200)
    await apiOf(owner).deleteOrganizationRole.call({ params: { org, role: 'clerk' } })
    expect(await add()).toBe(403)
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(serviceAccounts).toMatchObject([{ userId, name: 'Nightly', roles: [] }])
  })

  it('is no member: it is not counted, not listed, made no owner, and never the heir', async () => {
    const { owner, org, userId } = await withMachine(['admin'])
    const api = apiOf(owner)
    const params = { org, userId }
    const { items } = await api.listOrganizationMembers.call({
      params: { org },
      query: { limit: 50 },
    })
    expect(items.map((each) => each.userId)).toEqual([owner.userId])
    expect(await store.countMembers(auth.auth.db, org)).toBe(1)
    expect([
      await nameOf(api.setMemberRoles.call({ params, body: { roles: ['owner'] } })),
      await nameOf(api.removeOrganizationMember.call({ params })),
      await nameOf(api.handOverOrganization.call({ params: { org }, body: { userId } })),
      await nameOf(api.leaveOrganization.call({ params: { org } })),
    ]).toEqual([
      'MemberNotFoundError',
      'MemberNotFoundError',
      'MemberNotFoundError',
      'LastOwnerError',
    ])
    await auth.purge(owner)
    await auth.sweep()
    const { rows } = await auth.auth.db.execute(
      sql`select from svc_auth.users where user_id = ${userId}`,
    )
    expect(rows).toEqual([])
  })

  it('has no way to sign in: no operator gives it an address, or acts as it', async () => {
    const { userId } = await withMachine()
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { registration } = await createTestKey()
    const session = { ...registration, userId, reason: 'A try' }
    const params = { userId }
    const email = `${userId}@example.com`
    const given = await auth.call('updateUser', { email, reason: 'A try' }, root.key, { params })
    expect(given).toMatchObject({ status: 400, body: { error: { code: 'ValidationError' } } })
    expect(await auth.call('openSupportSession', session, root.key)).toMatchObject({
      status: 403,
      body: { error: { message: 'The account is of programs.' } },
    })
    const set = auth.auth.db.execute(
      sql`update svc_auth.users set email = ${email} where user_id = ${userId}`,
    )
    await expect(set).rejects.toThrow()
  })
})

describe('an operator and a member who act on one service account', () => {
  const reason = 'Ticket 7'
  const { db } = auth.auth
  const answerTo = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      ({ status }: { status: number }) => status,
    )

  /** What members do to it. */
  const actsOn = (org: string, userId: string, keyId: string) => {
    const params = { org, userId }
    const at = { params }
    return {
      update: (by: TestUser, on = auth.server) =>
        apiOf(by, on).updateServiceAccount.call({ params, body: { roles: ['member'] } }),
      createKey: async (by: TestUser, on = auth.server) =>
        apiOf(by, on).createServiceKey.call({ params, body: (await createTestKey()).registration }),
      revokeKey: (by: TestUser, on = auth.server) =>
        apiOf(by, on).revokeServiceKey.call({ params: { ...params, keyId } }),
      remove: (by: TestUser, on = auth.server) => apiOf(by, on).deleteServiceAccount.call(at),
    }
  }

  it('R52: wait for each other, and neither is ended by a deadlock', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { owner, org, userId, key } = await withMachine()
    const acts = actsOn(org, userId, key.keyId)
    const params = { organizationId: org }
    for (const act of [acts.update, acts.createKey, acts.revokeKey, acts.remove]) {
      const answers = await db.transaction(async (tx) => {
        await tx.execute(
          sql`select from organizations.organizations where organization_id = ${org} for update`,
        )
        const byMember = nameOf(act(owner))
        await waiting(1)
        const body = { userId, reason }
        const byOperator = nameOf(apiOf(root).addAnyOrganizationOwner.call({ params, body }))
        await waiting(2)
        return { byMember, byOperator }
      })
      expect([await answers.byMember, await answers.byOperator]).toEqual([
        'done',
        'MemberNotFoundError',
      ])
    }
  })

  it('leave one that is whole, or nothing of it, in each order (R52)', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    other.clock.set(auth.clock.now())
    for (const round of [1, 2, 3]) {
      const { owner, org, userId, key } = await withMachine()
      const admin = await joined(owner, org, ['admin'])
      const acts = actsOn(org, userId, key.keyId)
      const ofUser = { params: { userId }, body: { reason } }
      const ofOrg = { params: { organizationId: org } }
      const member = { params: { org, userId: admin.userId } }
      const asked = [
        acts.update(owner),
        acts.createKey(admin, other),
        acts.createKey(owner, other),
        acts.revokeKey(admin),
        ...(round === 1 ? [] : [acts.remove(owner, other), acts.remove(admin)]),
        apiOf(root).suspendUser.call(ofUser),
        apiOf(root, other).closeUser.call(ofUser),
        apiOf(root, other).addAnyOrganizationOwner.call({ ...ofOrg, body: { userId, reason } }),
        apiOf(root).closeAnyOrganization.call({ ...ofOrg, body: { reason } }),
        apiOf(owner, other).removeOrganizationMember.call(member),
      ]
      const answers = await Promise.all(asked.map(answerTo))
      expect(answers.filter((status) => status >= 500)).toEqual([])
      const { rows } = await db.execute(sql`
        select (select count(*)::int from svc_auth.users where user_id = ${userId}) as accounts,
          (select count(*)::int from organizations.service_accounts where user_id = ${userId}) as programs,
          (select count(*)::int from svc_auth.device_keys k where k.state = 'active' and k.kind = 'machine'
            and not exists (select from svc_auth.users u where u.user_id = k.user_id)) as "keysOfNone"`)
      const [left] = rows
      expect(left).toEqual({
        accounts: left?.['programs'],
        programs: left?.['programs'],
        keysOfNone: 0,
      })
      for (const status of await everywhere(org, key)) expect([401, 404]).toContain(status)
    }
  })
})
