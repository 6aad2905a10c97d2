import type { TestUser } from '@svc/auth/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { serviceAccounts as accountRows } from '../schema.ts'
import { testAgents } from '../test-agent.ts'
import { nameOf, startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created, joined, ask, accountOf, serviceKeyOf, waiting } = stepsOf(auth)
const agents = testAgents(auth)
const { db } = auth.auth

const ofUnknown = { status: 404, body: { error: { code: 'NotFoundError' } } }

const roleIn = (by: TestUser, org: string, name: string, permissions: string[]) =>
  apiOf(by).createOrganizationRole.call({
    params: { org },
    body: { name, displayName: name, permissions },
  })

/** An organization with an agent that its owner has connected. */
async function withAgent(scope = 'invoice:read invoice:write') {
  const { owner, org } = await created()
  const { client, tokens } = await agents.connected(owner, { owner: org, scope })
  const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
  const [account] = serviceAccounts
  if (!account) throw new Error('The agent has no account.')
  return { owner, org, client, tokens, account }
}

describe('the list of service accounts', () => {
  it('tells which agent an account is of, what uses it, and who made it', async () => {
    const { owner, org, client, account } = await withAgent('invoice:read')
    const list = async () =>
      (await apiOf(owner).listServiceAccounts.call({ params: { org } })).serviceAccounts
    const agent = { clientId: client, redirectHost: '127.0.0.1:7777', scopes: ['invoice:read'] }
    const { email: madeByName } = owner
    expect(await list()).toEqual([
      { ...account, name: 'Clerk bot', roles: ['admin'], keys: 0, agent, madeByName },
    ])
    // It has redeemed its code.
    expect(account.lastUsedAt).toBe(auth.clock.now().toISOString())

    const userId = await accountOf(owner, org)
    const key = await serviceKeyOf(owner, org, userId)
    const machine = async () => (await list()).find((each) => each.userId === userId)
    expect(await machine()).toMatchObject({ name: 'Nightly', keys: 1, madeByName })
    expect(await machine()).not.toHaveProperty('agent')
    expect(await machine()).not.toHaveProperty('lastUsedAt')
    expect((await ask(`/orgs/${org}/board`, { key })).status).toBe(200)
    // Otherwise it is written a little later, for many at once.
    await auth.auth.keyUse.flush()
    expect((await machine())?.lastUsedAt).toBe(auth.clock.now().toISOString())
  })

  it('names the maker also of an account after which a hundred others were made', async () => {
    const { owner, org } = await created()
    await accountOf(owner, org)
    const later = new Date(auth.clock.now().getTime() + 3_600_000)
    await auth.auth.db.execute(sql`
      insert into svc_auth.audit_events (at, act, outcome, actor, target, details)
      select ${later}, 'organization.service_account_created', 'done', ${owner.userId}::uuid,
        gen_random_uuid()::text, jsonb_build_object('organizationId', ${org}::text)
      from generate_series(1, 101)`)
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(serviceAccounts).toMatchObject([{ madeByName: owner.email }])
  })

  it('names no maker who has left', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    await accountOf(admin, org)
    await apiOf(admin).leaveOrganization.call({ params: { org } })
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(serviceAccounts).toHaveLength(1)
    expect(serviceAccounts[0]).not.toHaveProperty('madeByName')
  })
})

describe('consent', () => {
  it('offers the organizations in which the user may connect an agent, and takes no other', async () => {
    const { owner, org } = await created('Acme')
    const { org: other } = await created('Elsewhere')
    const [admin, member] = [await joined(owner, org, ['admin']), await joined(owner, org)]
    const client = await agents.register()
    const offered = async (user: TestUser) => (await agents.page(user, client)).body.owners
    expect(await offered(owner)).toEqual([{ id: org, name: 'Acme' }])
    expect(await offered(admin)).toEqual([{ id: org, name: 'Acme' }])
    expect(await offered(member)).toEqual([])
    const refused = [
      await agents.consent(owner, client, { owner: other }),
      await agents.consent(owner, client, { owner: crypto.randomUUID() }),
      await agents.consent(owner, client, { owner: 'none' }),
      await agents.consent(member, client, { owner: org }),
    ].map(({ status, body }) => ({ status, body: { error: { ...body.error, requestId: '' } } }))
    expect(refused[0]).toMatchObject(ofUnknown)
    expect(refused).toEqual(refused.map(() => refused[0]))
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(serviceAccounts).toEqual([])
  })

  it('is given to a program that shows a code in the same way (RFC 8628)', async () => {
    const { owner, org } = await created('Acme')
    const { org: other } = await created('Elsewhere')
    const member = await joined(owner, org)
    const { client, userCode, poll } = await agents.shownCode('Deploy bot')
    const decide = (user: TestUser, of: string) =>
      auth.call('decideOAuth2DeviceRequest', { userCode, decision: 'allow', owner: of }, user.key)
    expect(await decide(member, org)).toMatchObject(ofUnknown)
    expect(await decide(owner, other)).toMatchObject(ofUnknown)
    const shown = await auth.call('getOAuth2DeviceRequest', { userCode }, owner.key)
    expect(shown.body.owners).toEqual([{ id: org, name: 'Acme' }])
    expect((await decide(owner, org)).status).toBe(204)
    const { body: tokens } = await poll()
    expect((await agents.open('/mcp', tokens)).body.of).toBe(org)
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    const agent = { clientId: client, redirectHost: 'device-code:', scopes: ['invoice:read'] }
    expect(serviceAccounts).toMatchObject([{ name: 'Deploy bot', agent }])
  })

  it('offers no organization whose policies the user does not meet', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const policies = JSON.stringify({ allowedDomains: ['elsewhere.example'] })
    await db.execute(
      sql`update organizations.organizations set policies = ${policies} where organization_id = ${org}`,
    )
    const client = await agents.register()
    expect((await agents.page(admin, client)).body.owners).toEqual([])
    expect(await agents.consent(admin, client, { owner: org })).toMatchObject(ofUnknown)
  })

  it('gives an agent of a member no more than the member has', async () => {
    const { owner, org } = await created()
    await roleIn(owner, org, 'connector', ['agent:connect', 'invoice:read'])
    const connector = await joined(owner, org, ['connector'])
    const scope = 'invoice:read invoice:write'
    const { tokens } = await agents.connected(connector, { owner: org, scope })
    const { body } = await agents.open('/mcp', tokens)
    expect(body.permissions).toEqual(['invoice:read'])
    const add = await agents.open(`/orgs/${org}/mcp/invoices`, tokens, { method: 'POST' })
    expect(add.status).toBe(403)
  })

  it('waits for the removal of the member, and for the closing, and is then refused', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const client = await agents.register()
    const lock = sql`select from organizations.organizations where organization_id = ${org} for update`
    const after = async (change: () => Promise<unknown>, by: TestUser) => {
      let changed: Promise<unknown> | undefined
      let consented: ReturnType<typeof agents.consent> | undefined
      await db.transaction(async (tx) => {
        await tx.execute(lock)
        changed = change()
        await waiting(1)
        consented = agents.consent(by, client, { owner: org })
        await waiting(2)
      })
      await changed
      return consented
    }
    const params = { org, userId: admin.userId }
    const removed = () => apiOf(owner).removeOrganizationMember.call({ params })
    expect(await after(removed, admin)).toMatchObject(ofUnknown)
    const closed = () => apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await after(closed, owner)).toMatchObject(ofUnknown)
    const { rows } = await db.execute(
      sql`select from organizations.service_accounts where organization_id = ${org}`,
    )
    expect(rows).toEqual([])
  })
})

describe('an organization with 50 service accounts', () => {
  it('gets no further agent, and nothing is left of the consent', async () => {
    const { owner, org } = await created()
    const row = { organizationId: org, roles: [], createdAt: auth.clock.now() }
    const rows = Array.from({ length: 49 }, () => ({ ...row, userId: crypto.randomUUID() }))
    await db.insert(accountRows).values(rows)
    await agents.connected(owner, { owner: org })
    const client = await agents.register('One too many')
    expect(await agents.consent(owner, client, { owner: org })).toMatchObject({
      status: 403,
      body: {
        error: 'access_denied',
        error_description: expect.stringContaining('service accounts'),
      },
    })
    const { rows: left } = await db.execute(sql`
      select (select count(*)::int from svc_auth.oauth2_grants where client_id = ${client}) as grants,
        (select count(*)::int from svc_auth.profiles where display_name = 'One too many') as accounts,
        (select count(*)::int from organizations.service_accounts where organization_id = ${org}) as programs`)
    expect(left).toEqual([{ grants: 0, accounts: 0, programs: 50 }])
    expect(await nameOf(accountOf(owner, org))).toBe('OrganizationFullError')
  })
})

describe('an agent of an organization', () => {
  it('acts with its own key alone, if its tokens are bound to one (RFC 9449)', async () => {
    const { owner, org } = await created()
    const elsewhere = await created('Elsewhere')
    const prove = agents.newProver()
    const { tokens } = await agents.connected(owner, { owner: org }, prove)
    expect((await agents.open('/mcp', tokens, { prove })).body.of).toBe(org)
    expect((await agents.open(`/orgs/${org}/mcp/board`, tokens, { prove })).status).toBe(200)
    const there = `/orgs/${elsewhere.org}/mcp/board`
    expect((await agents.open(there, tokens, { prove })).status).toBe(404)
    expect((await agents.open('/mcp', tokens)).status).toBe(401)
    const stolen = await agents.open('/mcp', tokens, { prove: agents.newProver() })
    expect(stolen.status).toBe(401)
    const device = await auth.signIn(owner)
    const body = { keyId: owner.key.keyId }
    expect((await auth.call('revokeKey', body, device)).status).toBeLessThan(300)
    expect((await agents.open('/mcp', tokens, { prove })).status).toBe(200)
  })

  it('acts as a service account named after it, in that organization alone', async () => {
    const { owner, org, tokens, account } = await withAgent()
    const elsewhere = await created('Elsewhere')
    expect(account).toMatchObject({ name: 'Clerk bot', roles: ['admin'] })
    expect(await agents.open(`/orgs/${org}/mcp/board`, tokens)).toMatchObject({
      status: 200,
      body: { name: 'Acme', userId: account.userId },
    })
    const permissions = ['invoice:read', 'invoice:write']
    expect(await agents.open('/mcp', tokens)).toMatchObject({
      status: 200,
      body: { of: org, permissions, account: [], fencedTo: org },
    })
    expect(await agents.open(`/orgs/${elsewhere.org}/mcp/board`, tokens)).toMatchObject({
      status: 404,
      body: { error: { code: 'OrganizationNotFoundError' } },
    })
    // Its own person's agent has no organization.
    const { tokens: own } = await agents.connected(owner)
    expect((await agents.open(`/orgs/${org}/mcp/board`, own)).status).toBe(403)
    expect((await agents.open(`/orgs/${org}/mcp/invoices`, own)).status).toBe(403)
    expect((await agents.open(`/orgs/${elsewhere.org}/mcp/board`, own)).status).toBe(404)
    expect((await agents.open('/mcp', own)).status).toBe(404)
  })

  it('leaves none of its secrets in the database, the queue and the log', async () => {
    const { owner, org } = await created()
    const client = await agents.register()
    const consented = await agents.consent(owner, client, { owner: org })
    const { body: tokens } = await agents.redeem(client, consented)
    const { body: next } = await agents.refresh(client, tokens)
    expect((await agents.open('/mcp', next)).status).toBe(200)
    const code = new URL(consented.body.redirectTo).searchParams.get('code') ?? ''
    const { rows: tables } = await db.execute<{ name: string }>(sql`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
    const dumped = [JSON.stringify(auth.logged)]
    for (const { name } of tables) {
      dumped.push(JSON.stringify((await db.execute(sql.raw(`select t::text from ${name} t`))).rows))
    }
    const text = dumped.join()
    expect(text).toContain(client)
    const secrets = [tokens, next].flatMap((each) => [each.access_token, each.refresh_token])
    for (const secret of [code, ...secrets]) {
      expect(secret.length).toBeGreaterThan(40)
      expect(text).not.toContain(secret)
    }
  })

  it('may do what both its scopes and its roles say, and is told which scope it lacks', async () => {
    const { org, tokens } = await withAgent('invoice:read auth:self:manage')
    expect((await agents.open(`/orgs/${org}/mcp/invoices`, tokens)).status).toBe(200)
    const add = await agents.open(`/orgs/${org}/mcp/invoices`, tokens, { method: 'POST' })
    expect(add).toMatchObject({ status: 403, body: { error: { code: 'ForbiddenError' } } })
    expect(add.challenge).toContain('error="insufficient_scope"')
    expect((await agents.open('/mcp', tokens)).body).toMatchObject({
      permissions: ['invoice:read'],
      account: [],
    })
  })

  it('loses on its next request what its roles lose', async () => {
    const { owner, org, tokens, account } = await withAgent()
    await roleIn(owner, org, 'clerk', ['invoice:read', 'invoice:write'])
    const params = { org, userId: account.userId }
    const add = async () =>
      (await agents.open(`/orgs/${org}/mcp/invoices`, tokens, { method: 'POST' })).status
    await apiOf(owner).updateServiceAccount.call({ params, body: { roles: ['clerk'] } })
    expect(await add()).toBe(200)
    await apiOf(owner).updateOrganizationRole.call({
      params: { org, role: 'clerk' },
      body: { permissions: ['invoice:read'] },
    })
    expect(await add()).toBe(403)
    expect((await agents.open(`/orgs/${org}/mcp/invoices`, tokens)).status).toBe(200)
  })

  it('is refused at once where its organization is closed, and works again in one that is opened again', async () => {
    const { owner, org, tokens } = await withAgent()
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    const paths = ['/mcp', `/orgs/${org}/mcp/board`]
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await agents.open(path, tokens)).status))
    expect(await statuses()).toEqual([401, 401])
    await apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })
    expect(await statuses()).toEqual([200, 200])
  })

  it('stays when the user who consented is purged, and refreshes its tokens', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const { client, tokens } = await agents.connected(admin, { owner: org })
    const device = await auth.signIn(admin)
    const body = { keyId: admin.key.keyId }
    expect((await auth.call('revokeKey', body, device)).status).toBeLessThan(300)
    expect((await agents.open('/mcp', tokens)).status).toBe(200)
    const everywhere = await auth.call('revokeAllKeys', { includeCurrent: true }, device)
    expect(everywhere.status).toBeLessThan(300)
    const now = auth.clock.now()
    await auth.purge({ ...admin, key: await auth.signIn(admin) })
    // Within the days in which an unused grant ends by itself.
    auth.clock.set(now)
    const { status, body: next } = await agents.refresh(client, tokens)
    expect(status).toBe(200)
    expect((await agents.open('/mcp', next)).body.of).toBe(org)
  })

  it('is not among the agents of the user who consented, and ends with its account', async () => {
    const { owner, org, client, tokens, account } = await withAgent()
    const list = await auth.call('listOAuth2Grants', undefined, owner.key)
    expect(list.body).toEqual({ grants: [] })
    const params = { org, userId: account.userId }
    const member = await joined(owner, org)
    expect(await nameOf(apiOf(member).deleteServiceAccount.call({ params }))).toBe('ForbiddenError')
    await apiOf(owner).deleteServiceAccount.call({ params })
    expect((await agents.open('/mcp', tokens)).status).toBe(401)
    expect((await agents.refresh(client, tokens)).status).toBe(400)
  })

  it('is in the audit trail with the organization, the client, and who consented', async () => {
    const { owner, org, client, account } = await withAgent('invoice:read')
    const { rows } = await db.execute(
      sql`select act, actor, target, details from svc_auth.audit_events
        where act in ('oauth2.allowed', 'organization.agent_connected') and actor = ${owner.userId}`,
    )
    const details = { organizationId: org, clientId: client, clientName: 'Clerk bot' }
    expect(rows).toEqual(
      expect.arrayContaining([
        {
          act: 'organization.agent_connected',
          actor: owner.userId,
          target: account.userId,
          details: { ...details, roles: ['admin'] },
        },
        {
          act: 'oauth2.allowed',
          actor: owner.userId,
          target: client,
          details: { clientId: client, scopes: ['invoice:read'], resource: '/mcp', owner: org },
        },
      ]),
    )
    const query = { act: 'organization.agent_connected' }
    const { items } = await apiOf(owner).listOrganizationAudit.call({ params: { org }, query })
    expect(items).toMatchObject([
      { actor: owner.userId, details: { clientId: client, clientName: 'Clerk bot' } },
    ])
  })

  it('leaves no account behind once its grant is over, unless that has a key of a machine', async () => {
    const { owner, org } = await created()
    const unredeemed = await agents.register()
    await agents.consent(owner, unredeemed, { owner: org })
    const left = async () => {
      await auth.sweep()
      return (await apiOf(owner).listServiceAccounts.call({ params: { org } })).serviceAccounts
    }
    const { tokens } = await agents.connected(owner, { owner: org })
    const plain = await accountOf(owner, org)
    expect(await left()).toHaveLength(3)
    auth.clock.advance('1m')
    const [kept, ...more] = (await left()).filter(({ userId }) => userId !== plain)
    if (!kept) throw new Error('No account is left.')
    expect(more).toEqual([])
    auth.clock.advance('29d')
    const device = { key: await auth.signIn(owner) }
    await serviceKeyOf(device, org, kept.userId)
    await agents.connected(device, { owner: org })
    expect(await agents.open('/mcp', tokens)).toMatchObject({ status: 401 })
    auth.clock.advance('31d')
    const key = await auth.signIn(owner)
    await auth.sweep()
    const after = await apiOf({ key }).listServiceAccounts.call({ params: { org } })
    expect(after.serviceAccounts.map(({ userId }) => userId).toSorted()).toEqual(
      [kept.userId, plain].toSorted(),
    )
  })
})
