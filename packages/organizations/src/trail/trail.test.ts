import { randomBytes } from 'node:crypto'
import { defineContract } from '@svc/auth/contract'
import {
  allow,
  createAuthLifecycle,
  createAuthRouter,
  defineCapability,
  recordAct,
} from '@svc/auth/server'
import { createTestKey, startTestAuth, type TestUser } from '@svc/auth/testing'
import { defineServer, route, t } from '@svc/core'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { member } from '../allow.ts'
import { organizations as capability } from '../capability.ts'
import { organizations } from '../contract.ts'
import { nameOf, stepsOf } from '../test-organizations.ts'

// Their types are declared for the whole program, so no test declares them.
const [refunded, noted] = ['shop.refunded', 'shop.noted'] as const
const shop = defineCapability(defineContract('shop', { operations: {} }), {
  audit: [refunded, noted],
  handlers: {},
})

const body = t.Object({ act: t.String(), details: t.Record(t.String(), t.Unknown()) })
const params = t.Object({ org: t.String({ format: 'uuid' }) })

const routes = {
  /** An act of the application in an organization. */
  actIn: member()(
    route
      .post('/orgs/:org/acts')
      .input({ params, body })
      .handler(async (c) => {
        const { act, details } = (await c.data()).body
        await c.db.transaction((tx) => recordAct(tx, { act: act as never, details, c }))
        return {}
      }),
  ),
  /** The same at a route that is in no organization. */
  act: allow.bearer(
    route
      .post('/acts')
      .input({ body })
      .handler(async (c) => {
        const { act, details } = (await c.data()).body
        await c.db.transaction((tx) => recordAct(tx, { act: act as never, details, c }))
        return {}
      }),
  ),
}

const auth = await startTestAuth({
  definition: defineServer()
    .routes(createAuthRouter({ routes, contracts: [organizations] }))
    .lifecycle(
      createAuthLifecycle({
        support: {},
        capabilities: [capability({ trailActs: [refunded] }), shop],
      }),
    ),
})
afterAll(() => auth.stop())
const { apiOf, created, joined, ask, accountOf, serviceKeyOf } = stepsOf(auth)
const root = await auth.signedInUser({ role: 'superadmin' })

interface Query {
  act?: string
  actor?: string
  from?: string
  to?: string
  after?: string
  limit?: number
}

const read = (by: Pick<TestUser, 'key'>, org: string, query: Query = {}) =>
  apiOf(by).listOrganizationAudit.call({ params: { org }, query: { limit: 20, ...query } })

const actsOf = async (...asked: Parameters<typeof read>) =>
  (await read(...asked)).items.map(({ act }) => act)

async function record(by: Pick<TestUser, 'key'>, path: string, given: object) {
  const written = await ask(path, by, { method: 'POST', body: JSON.stringify(given) })
  expect(written.status).toBe(200)
}

const rename = (by: TestUser, org: string, name: string) =>
  apiOf(by).updateOrganization.call({ params: { org }, body: { name } })

describe('listOrganizationAudit', () => {
  it('has what was done in the organization, the newest first', async () => {
    const { owner, org } = await created()
    auth.clock.advance('1s')
    const { userId, email } = await joined(owner, org)
    auth.clock.advance('1s')
    const at = auth.clock.now().toISOString()
    await apiOf(owner).setMemberRoles.call({ params: { org, userId }, body: { roles: ['admin'] } })
    const { items } = await read(owner, org)
    expect(items.map((item) => item.act)).toEqual([
      'organization.member_roles_changed',
      'organization.member_added',
      'organization.invited',
      'organization.created',
    ])
    // As a whole: no address, key, request, proof or number of the row.
    expect(items[0]).toEqual({
      at,
      act: 'organization.member_roles_changed',
      outcome: 'done',
      actor: owner.userId,
      actorName: owner.email,
      target: userId,
      targetName: email,
      details: { before: ['member'], after: ['admin'] },
      byOperator: false,
    })
    expect(items[1]?.details).toEqual({ invitedBy: owner.userId, roles: ['member'] })
  })

  it('has each entry on one page, also where many are of one moment', async () => {
    const { owner, org } = await created()
    const names: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      if (name === 'c' || name === 'g') auth.clock.advance('1s')
      await record(owner, `/orgs/${org}/acts`, { act: refunded, details: { name } })
      names.unshift(name)
    }
    for (const limit of [1, 2, 3, 7]) {
      const seen: unknown[] = []
      let after: string | undefined
      do {
        const page = await read(owner, org, { act: refunded, limit, ...(after && { after }) })
        seen.push(...page.items.map(({ details }) => details?.['name']))
        after = page.next
        // A row's number tells how much all organizations do.
        if (after) {
          const [, place] = JSON.parse(Buffer.from(after, 'base64url').toString())
          expect(place).toEqual({ at: expect.any(String), row: expect.stringMatching(/^enc:v2:/) })
        }
      } while (after !== undefined)
      expect(seen).toEqual(names)
    }
  })

  it('has no entry on two pages, also where another one of the moment is committed in between', async () => {
    const { owner, org } = await created()
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) {
      await record(owner, `/orgs/${org}/acts`, { act: refunded, details: { name } })
    }
    const page = async (after?: string) => {
      const query = { act: refunded, limit: 2, ...(after && { after }) }
      const { items, next = '' } = await read(owner, org, query)
      return { names: items.map(({ details }) => details?.['name']), next }
    }
    const details = JSON.stringify({ organizationId: org, name: 'late' })
    const first = await auth.auth.db.transaction(async (tx) => {
      await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome, details)
        values (${auth.clock.now()}, ${refunded}, 'done', ${details})`)
      return page()
    })
    expect(first.names).toEqual(['d', 'c'])
    expect((await page(first.next)).names).toEqual(['b', 'a'])
    expect((await page()).names).toEqual(['late', 'd'])
  })

  it('filters by the act and by the actor', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    await rename(admin, org, 'Other')
    expect(await actsOf(owner, org, { act: 'organization.created' })).toEqual([
      'organization.created',
    ])
    const own = ['organization.updated', 'organization.member_added']
    expect(await actsOf(owner, org, { actor: admin.userId })).toEqual(own)
    expect(await actsOf(owner, org, { actor: admin.userId.toUpperCase() })).toEqual(own)
    const both = { act: 'organization.updated', actor: owner.userId }
    expect(await actsOf(owner, org, both)).toEqual([])
  })

  it('filters by time: `from` is within, and `to` is not', async () => {
    const { owner, org } = await created()
    const moments: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      auth.clock.advance('1s')
      moments.push(auth.clock.now().toISOString())
      await rename(owner, org, name)
    }
    const [one = '', two = '', three = ''] = moments
    const timesOf = async (query: Query) =>
      (await read(owner, org, { act: 'organization.updated', ...query })).items.map(({ at }) => at)
    expect(await timesOf({ from: two })).toEqual([three, two])
    expect(await timesOf({ to: two })).toEqual([one])
    expect(await timesOf({ from: one, to: three })).toEqual([two, one])
    const first = await read(owner, org, { from: two, limit: 1 })
    const rest = await read(owner, org, { from: two, after: first.next ?? '' })
    expect(rest.items.map(({ at }) => at)).toEqual([two])
    for (const wrong of [{ from: 'yesterday' }, { to: '2030-01-31T12:00:00' }]) {
      expect(await nameOf(read(owner, org, wrong))).toBe('ValidationError')
    }
  })

  it('has nothing of another organization, also not of the same user', async () => {
    const { owner, org } = await created()
    const { organizationId } = await apiOf(owner).createOrganization.call({
      body: { name: 'Second' },
    })
    await rename(owner, organizationId, 'Other')
    // A client names another organization in details: the one of the path counts.
    const details = { organizationId: org }
    await record(owner, `/orgs/${organizationId}/acts`, { act: refunded, details })
    expect(await actsOf(owner, org)).toEqual(['organization.created'])
    const { items } = await read(owner, organizationId)
    expect(items.map((item) => item.act)).toContain(refunded)
    expect(JSON.stringify(items)).not.toContain(org)
    const { next = '' } = await read(owner, organizationId, { limit: 1 })
    expect(await nameOf(read(owner, org, { after: next }))).toBe('ValidationError')
  })

  it('needs audit:read, which owners and admins have, and a role or a machine can get', async () => {
    const { owner, org } = await created()
    const [plain, admin] = [await joined(owner, org), await joined(owner, org, ['admin'])]
    expect(await nameOf(read(plain, org))).toBe('ForbiddenError')
    expect(await actsOf(admin, org)).toContain('organization.created')
    const role = { name: 'auditor', displayName: 'Auditor', permissions: ['audit:read'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: role })
    const auditor = await joined(owner, org, ['auditor'])
    expect(await actsOf(auditor, org)).toContain('organization.created')
    const key = await serviceKeyOf(owner, org, await accountOf(owner, org, ['auditor']))
    expect(await actsOf({ key }, org)).toContain('organization.service_key_created')
  })

  it('names an account only while it is in the organization', async () => {
    const { owner, org } = await created()
    const other = await joined(owner, org, ['admin'])
    const { userId } = other
    await rename(other, org, 'Other')
    const named = async () => (await read(owner, org, { act: 'organization.updated' })).items[0]
    expect(await named()).toMatchObject({ actor: userId, actorName: other.email })
    await apiOf(owner).removeOrganizationMember.call({ params: { org, userId } })
    expect(await named()).toMatchObject({ actor: userId })
    expect(JSON.stringify((await read(owner, org)).items)).not.toContain(other.email)
  })
})

describe('what only operators see', () => {
  it('is an act of the application, unless the application shows it to members', async () => {
    const { owner, org } = await created()
    await record(owner, `/orgs/${org}/acts`, { act: noted, details: { text: 'suspicious' } })
    await record(owner, `/orgs/${org}/acts`, { act: refunded, details: { cents: 7 } })
    expect(await actsOf(owner, org)).toEqual([refunded, 'organization.created'])
    expect(await actsOf(owner, org, { act: noted })).toEqual([])
    const { items } = await read(owner, org, { act: refunded })
    expect(items).toMatchObject([{ actor: owner.userId, details: { cents: 7 } }])
    expect(Object.keys(items[0]?.details ?? {})).toEqual(['cents'])
  })

  it('is the operator of a support session: members see in whose name it was done', async () => {
    const { owner, org } = await created()
    const key = await createTestKey()
    const opening = { userId: owner.userId, reason: 'ticket 7', ...key.registration }
    expect((await auth.call('openSupportSession', opening, root.key)).status).toBeLessThan(300)
    await record({ key }, `/orgs/${org}/acts`, { act: refunded, details: { cents: 7 } })
    const { items } = await read(owner, org, { act: refunded })
    const shown = { actor: owner.userId, details: { cents: 7 }, byOperator: true }
    expect(items).toMatchObject([shown])
    expect(JSON.stringify(items)).not.toContain(root.userId)
    expect(await actsOf(owner, org, { actor: root.userId })).toEqual([])
    expect(await actsOf(owner, org, { actor: owner.userId })).toContain(refunded)
    expect(await nameOf(read({ key }, org))).toBe('SupportSessionForbiddenError')
  })

  it('is who the operator was, and the reason, where the act says that an operator did it', async () => {
    const { owner, org } = await created()
    const { userId } = await joined(owner, org)
    const [none, policies] = [{ requireSecondFactor: false }, { maxIdleHours: 2160 }]
    await apiOf(owner).updateOrganizationPolicies.call({ params: { org }, body: policies })
    auth.clock.advance('1s')
    const from = auth.clock.now().toISOString()
    const reason = 'Fraud, says the bank.'
    const [api, ofOrg] = [apiOf(root), { organizationId: org }]
    await record(root, '/acts', { act: refunded, details: { ...ofOrg, by: 'operator', cents: 7 } })
    await api.clearAnyOrganizationPolicies.call({ params: ofOrg, body: { reason } })
    await api.addAnyOrganizationOwner.call({ params: ofOrg, body: { userId, reason } })
    await api.closeAnyOrganization.call({ params: ofOrg, body: { reason } })
    await api.reopenAnyOrganization.call({ params: ofOrg, body: { reason } })
    const { items } = await read(owner, org, { from })
    expect(items).toEqual([
      expect.objectContaining({ act: 'organization.reopened', target: org }),
      expect.objectContaining({ act: 'organization.closed', target: org }),
      expect.objectContaining({ act: 'organization.owner_added', target: userId }),
      expect.objectContaining({ details: { before: { ...none, ...policies }, after: none } }),
      expect.objectContaining({ details: { cents: 7 } }),
    ])
    expect(items.map(({ byOperator }) => byOperator)).toEqual([true, true, true, true, true])
    for (const kept of [reason, root.userId]) expect(JSON.stringify(items)).not.toContain(kept)
    expect(await actsOf(owner, org, { actor: root.userId })).toEqual([])
  })
})

describe('the index of organizations', () => {
  it('refuses no act that says anything else as its organization', async () => {
    const organizationId = randomBytes(5000).toString('hex')
    await record(root, '/acts', { act: refunded, details: { organizationId } })
  })
})
