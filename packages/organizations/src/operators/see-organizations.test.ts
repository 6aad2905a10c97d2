import type { TestUser } from '@svc/auth/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { nameOf } from '../test-organizations.ts'
import { nowhere, startTestOperators } from './test-operators.ts'

const operators = await startTestOperators()
const { auth, apiOf, created, invited, joined, ask } = operators
const { reader, manager, newManager, root, read, reopen, search } = operators
afterAll(() => auth.stop())

const namesOf = async (query: Record<string, string | number>) =>
  (await search(query)).items.map(({ name }) => name)

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
