import { createAuthLifecycle, createAuthRouter } from '@svc/auth/server'
import { startTestAuth } from '@svc/auth/testing'
import { defineServer } from '@svc/core'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { organizations as capability } from '../capability.ts'
import { organizations } from '../contract.ts'
import { importsBeside, jsonLines } from '../imports/test-import.ts'
import { nameOf, stepsOf } from '../test-organizations.ts'
import { personalOrganization } from './personal.ts'

const auth = await startTestAuth({
  definition: defineServer()
    .routes(createAuthRouter({ routes: {}, contracts: [organizations] }))
    .lifecycle(
      createAuthLifecycle({ capabilities: [capability({ personal: true, maxOwned: 1 })] }),
    ),
})
afterAll(() => auth.stop())
const other = await auth.secondInstance()
const { apiOf, joined } = stepsOf(auth)
const { db } = auth.auth

type User = Awaited<ReturnType<typeof auth.signedInUser>>

async function personalOf(user: User) {
  const { organizations: all } = await apiOf(user).listOrganizations.call()
  const found = all.filter(({ isPersonal }) => isPersonal)
  if (!found[0] || found.length > 1) throw new Error(`${found.length} personal organizations`)
  return found[0]
}

describe('a personal organization', () => {
  it('is there for each user once, also if two instances are asked at the same time', async () => {
    const user = await auth.signedInUser()
    const lists = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        apiOf(user, at % 2 ? other : auth.server).listOrganizations.call(),
      ),
    )
    const ids = lists.flatMap(({ organizations: all }) => all.map((each) => each.organizationId))
    expect(new Set(ids).size).toBe(1)
    expect(await personalOf(user)).toMatchObject({ name: 'Personal', roles: ['owner'] })
    expect(await personalOrganization(db, user.userId)).toBe(ids[0])
  })

  it('is made by code of the application too, and for no account that is gone', async () => {
    const user = await auth.signedInUser()
    const made = await Promise.all([1, 2, 3].map(() => personalOrganization(db, user.userId)))
    const { organizationId } = await personalOf(user)
    expect(made).toEqual([organizationId, organizationId, organizationId])
    expect(await personalOrganization(db, crypto.randomUUID())).toBeNull()
  })

  it('can’t be left, closed, handed over or shared', async () => {
    const user = await auth.signedInUser()
    const { organizationId: org } = await personalOf(user)
    const params = { org }
    const [api, stranger] = [apiOf(user), await auth.signedInUser()]
    expect(await nameOf(api.leaveOrganization.call({ params }))).toBe('PersonalOrganizationError')
    const close = api.closeOrganization.call({ params, body: {} })
    expect(await nameOf(close)).toBe('PersonalOrganizationError')
    const invite = api.inviteToOrganization.call({ params, body: { email: stranger.email } })
    expect(await nameOf(invite)).toBe('PersonalOrganizationError')
    const add = api.addOrganizationDomain.call({ params, body: { domain: 'acme.example' } })
    expect(await nameOf(add)).toBe('PersonalOrganizationError')
    const handOver = api.handOverOrganization.call({ params, body: { userId: stranger.userId } })
    expect(await nameOf(handOver)).toBe('PersonalOrganizationError')
    const foreign = apiOf(stranger).getOrganization.call({ params })
    expect(await nameOf(foreign)).toBe('OrganizationNotFoundError')
  })

  it('does not count among the organizations that a user may own', async () => {
    const user = await auth.signedInUser()
    await personalOf(user)
    const create = () => nameOf(apiOf(user).createOrganization.call({ body: { name: 'Acme' } }))
    expect(await create()).toBe('done')
    expect(await create()).toBe('OrganizationFullError')
    const { organizations: all } = await apiOf(user).listOrganizations.call()
    const acme = all.find(({ isPersonal }) => !isPersonal)
    expect(acme).toMatchObject({ name: 'Acme' })
    const member = await joined(user, acme?.organizationId ?? '')
    expect((await personalOf(member)).roles).toEqual(['owner'])
  })

  it('leaves an imported owner more than a user may own, who can’t create another one', async () => {
    const user = await auth.signedInUser()
    const owned = () =>
      jsonLines({
        organization: crypto.randomUUID(),
        name: 'Old',
        email: user.email,
        role: 'owner',
      })
    const imported = await importsBeside(auth).organizations(`${owned()}\n${owned()}`)
    expect(imported.filter(({ outcome }) => outcome === 'refused')).toEqual([])
    const { organizations: all } = await apiOf(user).listOrganizations.call()
    expect(all.filter(({ name }) => name === 'Old')).toHaveLength(2)
    const create = apiOf(user).createOrganization.call({ body: { name: 'Acme' } })
    expect(await nameOf(create)).toBe('OrganizationFullError')
  })

  it('is no one’s while an operator has closed it, and is not made a second time', async () => {
    const user = await auth.signedInUser()
    const { organizationId } = await personalOf(user)
    const root = await auth.signedInUser({ role: 'superadmin' })
    const params = { organizationId }
    await apiOf(root).closeAnyOrganization.call({ params, body: { reason: 'Fraud' } })
    expect(await personalOrganization(db, user.userId)).toBeNull()
    const { organizations: all } = await apiOf(user).listOrganizations.call()
    expect(all.filter(({ purgeAt }) => purgeAt === undefined)).toEqual([])
    await apiOf(root).reopenAnyOrganization.call({ params, body: { reason: 'No fraud' } })
    expect(await personalOrganization(db, user.userId)).toBe(organizationId)
  })

  it('is deleted with the account', async () => {
    const user = await auth.signedInUser()
    const { organizationId } = await personalOf(user)
    await auth.purge(user)
    await auth.sweep()
    const { rows } = await db.execute(
      sql`select 1 from organizations.organizations where organization_id = ${organizationId}`,
    )
    expect(rows).toEqual([])
    expect(await personalOrganization(db, user.userId)).toBeNull()
  })
})
