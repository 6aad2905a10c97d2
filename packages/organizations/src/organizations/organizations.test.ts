import { defineRouter } from '@svc/core'
import { routeMapOf } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { organizationClient } from '../client.ts'
import { organizations } from '../contract.ts'
import { machineOf } from '../test-machine.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const other = await auth.secondInstance()

const { apiOf, created, invited, joined, ask } = stepsOf(auth)
const nowhere = () => crypto.randomUUID()

describe('an organization', () => {
  it('belongs to the user who has created it', async () => {
    const owner = await auth.signedInUser()
    const made = await apiOf(owner).createOrganization.call({ body: { name: 'Blue Whale Ltd.' } })
    expect(made).toMatchObject({
      name: 'Blue Whale Ltd.',
      slug: 'blue-whale-ltd',
      roles: ['owner'],
    })
    expect(made.permissions).toContain('organization:close')
    expect(made.permissions).toContain('invoice:write')
    const params = { org: made.organizationId }
    expect(await apiOf(owner).getOrganization.call({ params })).toEqual({ ...made, unmet: [] })
    const { organizations: listed } = await apiOf(owner).listOrganizations.call()
    expect(listed).toMatchObject([{ organizationId: made.organizationId, roles: ['owner'] }])
  })

  it('gets another slug where its own is taken, unless it was asked for', async () => {
    const { owner } = await created('Taken')
    const again = await apiOf(owner).createOrganization.call({ body: { name: 'Taken' } })
    expect(again.slug).toMatch(/^taken-[0-9a-f]{8}$/)
    const named = await apiOf(owner).createOrganization.call({ body: { name: '株式会社' } })
    expect(named.slug).toMatch(/^org-[0-9a-f]{8}$/)
    const asked = apiOf(owner).createOrganization.call({ body: { name: 'Any', slug: 'taken' } })
    expect(await nameOf(asked)).toBe('SlugTakenError')
    const params = { org: named.organizationId }
    const renamed = apiOf(owner).updateOrganization
    expect(await nameOf(renamed.call({ params, body: { slug: 'taken' } }))).toBe('SlugTakenError')
    expect(await renamed.call({ params, body: { slug: 'kabushiki' } })).toMatchObject({
      name: '株式会社',
      slug: 'kabushiki',
    })
  })

  it('does not exist for others: they get the same answer as where there is none', async () => {
    const { org } = await created()
    const stranger = await auth.signedInUser()
    const of = async (id: string) => {
      const { status, body } = await ask(`/_auth/organizations/${id}`, stranger)
      return JSON.stringify([status, body]).replaceAll(body.error.requestId, '')
    }
    expect(await of(org)).toBe(await of(nowhere()))
    expect(JSON.parse(await of(org))).toMatchObject([
      404,
      { error: { code: 'OrganizationNotFoundError' } },
    ])
    expect((await ask('/_auth/organizations/no-id', stranger)).status).toBe(404)
    const update = apiOf(stranger).updateOrganization.call({
      params: { org },
      body: { name: 'Mine' },
    })
    expect(await nameOf(update)).toBe('OrganizationNotFoundError')
  })
})

describe('a route of the application', () => {
  it('lets in members with the permissions that it asks for', async () => {
    const { owner, org } = await created()
    const elsewhere = await created()
    const admin = await joined(owner, org, ['admin'])
    const member = await joined(owner, org)
    const former = await joined(owner, org)
    await apiOf(former).leaveOrganization.call({ params: { org } })
    const callers = [{}, elsewhere.owner, former, member, admin, owner]
    const answers = (method: string, path: string) =>
      Promise.all(
        callers.map(
          async (caller) => (await ask(`/orgs/${org}${path}`, caller, { method })).status,
        ),
      )
    expect(await answers('GET', '/board')).toEqual([401, 404, 404, 200, 200, 200])
    expect(await answers('GET', '/invoices')).toEqual([401, 404, 404, 200, 200, 200])
    expect(await answers('POST', '/invoices')).toEqual([401, 404, 404, 403, 200, 200])
    expect((await ask(`/orgs/${org}/board`, owner)).body).toEqual({ name: 'Acme' })
  })

  it('knows of two organizations in two requests at once, each with its own roles', async () => {
    const { owner, org } = await created('One')
    const two = await created('Two')
    const token = await invited(two.owner, two.org, { email: owner.email })
    await apiOf(owner).acceptOrganizationInvitation.call({ body: { token } })
    const reads = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(`/orgs/${at % 2 ? org : two.org}/invoices`, owner)),
    )
    for (const [at, { body }] of reads.entries()) {
      const id = at % 2 ? org : two.org
      expect(body).toEqual({ of: id, fencedTo: id })
    }
    const both = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        ask(`/orgs/${at % 2 ? org : two.org}/invoices`, owner, { method: 'POST' }),
      ),
    )
    for (const [at, { status, body }] of both.entries()) {
      expect([status, body.of]).toEqual(at % 2 ? [200, org] : [403, undefined])
    }
  })

  it('refuses a machine of a member, for which nothing was chosen here', async () => {
    const { owner, org } = await created()
    const key = await machineOf(auth, owner)
    expect((await ask(`/orgs/${org}/board`, { key })).status).toBe(403)
    expect((await ask(`/orgs/${org}/invoices`, { key })).status).toBe(403)
  })
})

describe('leaving, losing a role and closing', () => {
  it('count on the next request, on every instance (R45)', async () => {
    const { owner, org } = await created()
    const member = await joined(owner, org, ['admin'])
    const params = { org, userId: member.userId }
    const write = async () =>
      (await ask(`/orgs/${org}/invoices`, member, { method: 'POST', at: other })).status
    expect(await write()).toBe(200)
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['member'] } })
    expect(await write()).toBe(403)
    await apiOf(owner).setMemberRoles.call({ params, body: { roles: ['admin'] } })
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await write()).toBe(404)
    await apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })
    expect(await write()).toBe(200)
    await apiOf(owner).removeOrganizationMember.call({ params })
    expect(await write()).toBe(404)
  })

  it('leave at least one owner, of two who leave and hand over sixteen times at once (R46)', async () => {
    const { owner, org } = await created()
    const second = await joined(owner, org, ['owner'])
    const third = await joined(owner, org)
    const leave = (user: typeof owner, at = auth.server) =>
      nameOf(apiOf(user, at).leaveOrganization.call({ params: { org } }))
    const handOver = (user: typeof owner, at = auth.server) =>
      nameOf(
        apiOf(user, at).handOverOrganization.call({
          params: { org },
          body: { userId: third.userId },
        }),
      )
    await Promise.all(
      Array.from({ length: 4 }, () => [
        leave(owner),
        leave(second, other),
        handOver(owner, other),
        handOver(second),
      ]).flat(),
    )
    const params = { org }
    const { items } = await apiOf(third).listOrganizationMembers.call({ params, query: {} })
    expect(items.filter(({ roles }) => roles.includes('owner')).length).toBeGreaterThan(0)
  })

  it('are refused to the last owner', async () => {
    const { owner, org } = await created()
    await joined(owner, org, ['admin'])
    const params = { org, userId: owner.userId }
    expect(await nameOf(apiOf(owner).leaveOrganization.call({ params: { org } }))).toBe(
      'LastOwnerError',
    )
    const demoted = apiOf(owner).setMemberRoles.call({ params, body: { roles: ['admin'] } })
    expect(await nameOf(demoted)).toBe('LastOwnerError')
    expect(await nameOf(apiOf(owner).removeOrganizationMember.call({ params }))).toBe(
      'LastOwnerError',
    )
  })
})

describe('the contract', () => {
  it('is where the client looks for it', () => {
    expect(organizationClient.routeMap).toEqual(routeMapOf(defineRouter(organizations.operations)))
  })
})
