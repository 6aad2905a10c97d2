import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { selectMachines } from '../keys/list-machines.ts'
import { limitOf } from '../limits/testing/limits.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { selectClients } from '../oauth2/clients/list-clients.ts'
import { agentOptions, testAgents } from '../oauth2/testing/test-agent.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { programContract } from './contract.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' }, ...agentOptions })
afterAll(() => auth.stop())
const { db } = auth.auth
const root = await auth.signedInUser({ role: 'admin' })
const agents = testAgents(auth)

type List = 'listAgents' | 'listMachines'
const list = (name: List, query: Record<string, unknown> = {}, user = root) =>
  auth.call(name, undefined, user.key, { query })

/** All of a list, page by page. */
async function walk(name: List, limit: number) {
  const pages: { clientId?: string; keyId?: string }[][] = []
  let after: string | undefined
  do {
    const body = await done(list(name, { limit, ...(after && { after }) }))
    pages.push(name === 'listAgents' ? body.agents : body.machines)
    after = body.next
  } while (after !== undefined)
  return pages
}

/** The lines of the plan of a statement. */
async function planOf(statement: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: text, params } = statement.toSQL()
  const plan = await auth.infrastructure.database?.pool.query(`explain ${text}`, params)
  return plan?.rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('listMachines', () => {
  it('has each key with its owner, what it may do and when it was used, the newest first', async () => {
    const owner = await auth.signedInUser({ role: 'admin' })
    const createdAt = auth.clock.now()
    const { keyId } = await machineOf(auth, owner, { permissions: ['user:read'], expiresInDays: 3 })
    auth.clock.advance('1s')
    const { keyId: newest } = await machineOf(auth, owner)
    const { machines } = await done(list('listMachines'))
    expect(machines.map((each: { keyId: string }) => each.keyId)).toEqual([newest, keyId])
    expect(machines[1]).toEqual({
      keyId,
      permissions: ['user:read'],
      owner: { userId: owner.userId, publicId: owner.publicId, email: owner.email },
      createdAt: createdAt.toISOString(),
      expiresAt: new Date(createdAt.getTime() + 3 * 86_400_000).toISOString(),
      isExpired: false,
    })
  })

  it('has an expired key, and none that was revoked: `signUserOut` ends one', async () => {
    const owner = await auth.signedInUser()
    const ended = await machineOf(auth, owner)
    const expired = await machineOf(auth, owner, { expiresInDays: 1 })
    const params = { userId: owner.userId }
    await done(auth.call('signUserOut', { keyId: ended.keyId }, root.key, { params }))
    expect((await auth.call('getAuthSession', undefined, ended)).status).toBe(401)
    auth.clock.advance('25h')
    const { machines } = await done(list('listMachines'))
    const found = new Map(
      machines.map((each: { keyId: string; isExpired: boolean }) => [each.keyId, each.isExpired]),
    )
    expect([found.get(ended.keyId), found.get(expired.keyId)]).toEqual([undefined, true])
    expect([...found.keys()]).not.toContain(owner.key.keyId)
  })
})

describe('listAgents', () => {
  it('has each client with where it sends its users, and how many grants to it are active', async () => {
    const metadata = { client_name: 'Claude', token_endpoint_auth_method: 'client_secret_post' }
    const agent = await agents.register(metadata)
    const createdAt = auth.clock.now().toISOString()
    const [ada, bob] = [await auth.signedInUser(), await auth.signedInUser()]
    for (const user of [ada, bob]) {
      auth.clock.advance('1s')
      await agents.tokens(user, agent)
    }
    const grantsOf = async () =>
      (await done(list('listAgents'))).agents.find(
        (each: { clientId: string }) => each.clientId === agent.clientId,
      )
    expect(await grantsOf()).toEqual({
      clientId: agent.clientId,
      name: 'Claude',
      redirectHosts: ['127.0.0.1:7777'],
      source: 'registration',
      createdAt,
      grants: 2,
      hasMoreGrants: false,
      someGrants: [bob, ada].map(({ userId, email }) => ({
        grantId: expect.any(String),
        owner: { userId, name: email, isDeleted: false },
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      })),
    })
    const { grants } = await done(auth.call('listOAuth2Grants', undefined, ada.key))
    const { grantId } = grants[0]
    await done(auth.call('revokeOAuth2Grant', undefined, ada.key, { params: { grantId } }))
    expect((await grantsOf()).grants).toBe(1)
    expect(JSON.stringify(await grantsOf())).not.toMatch(/secret|hash/i)
  })

  it('counts no more than 1,000 grants of a client', async () => {
    // Newer than the others.
    auth.clock.advance('1s')
    const { clientId } = await agents.register({ client_name: 'Used by all' })
    await db.execute(sql`
      insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource,
        redirect_uri, code_hash, code_challenge, code_expires_at, created_at, expires_at)
      select 'active', ${root.userId}, 0, ${clientId}, '{}', '/', '/', 'hash ' || n, '', now(),
        now(), now() + interval '100 years'
      from generate_series(1, 1005) n`)
    const { agents: found } = await done(list('listAgents', { limit: 1 }))
    expect(found).toMatchObject([{ clientId, grants: 1000, hasMoreGrants: true }])
    expect(found[0].someGrants).toHaveLength(10)
  })
})

describe('endAgentGrant', () => {
  beforeEach(() => auth.proveRecent(root))

  const end = (grantId: string, body: object = {}, by = root) =>
    auth.call('endAgentGrant', body, by.key, { params: { grantId } })
  const linesOf = (target: string) =>
    db.select().from(auditEvents).where(eq(auditEvents.target, target)).orderBy(auditEvents.auditId)

  /** An account that has allowed an agent. */
  async function granted(role = 'user') {
    const [user, agent] = [await auth.signedInUser({ role }), await agents.register()]
    const tokens = await agents.tokens(user, agent)
    const { grants } = await done(auth.call('listOAuth2Grants', undefined, user.key))
    return { user, agent, tokens, grantId: String(grants[0].grantId) }
  }

  it('ends the tokens of the grant, and the trail has who ended it and why', async () => {
    const { user, agent, tokens, grantId } = await granted()
    expect((await end(grantId, { reason: 'A report' })).status).toBe(204)
    expect(await agents.refresh(agent, tokens.refresh_token)).toMatchObject({ status: 400 })
    expect(await done(auth.call('listOAuth2Grants', undefined, user.key))).toEqual({ grants: [] })
    const { clientId } = agent
    expect(await linesOf(grantId)).toMatchObject([
      { act: 'oauth2.revoked', actor: root.userId, details: { clientId, reason: 'operator' } },
    ])
    expect(await end(grantId)).toMatchObject(refused(404, 'NotFoundError'))
    const lines = await linesOf(user.userId)
    expect(lines.filter(({ act }) => act === 'user.agent_ended')).toMatchObject([
      {
        actor: root.userId,
        keyId: root.key.keyId,
        details: { grantId, clientId, reason: 'A report' },
      },
    ])
  })

  it('refuses an account that ranks as high, your own, and an id that is unknown', async () => {
    const { grantId, user } = await granted('admin')
    expect(await end(grantId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await end(grantId, {}, user)).toMatchObject(refused(403, 'ForbiddenError'))
    for (const unknown of [randomUUID(), 'not-an-id']) {
      expect(await end(unknown)).toMatchObject(refused(404, 'NotFoundError'))
    }
    const { grants } = await done(auth.call('listOAuth2Grants', undefined, user.key))
    expect(grants).toHaveLength(1)
    const superadmin = await auth.signedInUser({ role: 'superadmin' })
    expect((await end(grantId, {}, superadmin)).status).toBe(204)
  })

  it('needs a fresh proof, and is counted', async () => {
    const operator = await auth.signedInUser({ role: 'admin' })
    const { grantId } = await granted()
    for (let n = 0; n < limitOf('grant end by account'); n++) {
      expect((await end(randomUUID(), {}, operator)).status).toBe(404)
    }
    expect(await end(grantId, {}, operator)).toMatchObject(refused(429, 'TooManyRequestsError'))
    auth.clock.advance('1h')
    expect(await end(grantId, {}, operator)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    await auth.proveRecent(operator)
    expect((await end(grantId, {}, operator)).status).toBe(204)
  })
})

describe.each(['listAgents', 'listMachines'] as const)('%s', (name) => {
  it('has 100 on a page at most, and each one once on the way', async () => {
    const owner = await auth.signedInUser()
    // All of one moment: the id decides.
    for (let n = 0; n < 3; n++) {
      await machineOf(auth, owner)
      await agents.register()
    }
    const pages = await walk(name, 2)
    const ids = pages.flat().map(({ clientId, keyId }) => clientId ?? keyId)
    expect(pages.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    const whole = (await walk(name, 100)).flat()
    expect(ids).toEqual(whole.map(({ clientId, keyId }) => clientId ?? keyId))
    expect((await list(name, { limit: 101 })).status).toBe(400)
  })

  it('refuses a place that it has not written', async () => {
    const other = name === 'listAgents' ? 'listMachines' : 'listAgents'
    const { next } = await done(list(other, { limit: 1 }))
    for (const after of ['a', next]) {
      expect(await list(name, { after })).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' } },
      })
    }
  })

  it('is asked for by each account so often', async () => {
    const operator = await auth.signedInUser({ role: 'admin' })
    for (let n = 0; n < limitOf('program list by account'); n++) {
      expect((await list(name, { limit: 1 }, operator)).status).toBe(200)
    }
    expect(await list(name, {}, operator)).toMatchObject({
      status: 429,
      body: { error: { code: 'TooManyRequestsError' } },
    })
  })
})

it('walk an index in the order of the page, so that one costs the same among many', async () => {
  await db.execute(sql`
    insert into svc_auth.device_keys (key_id, user_id, state, public_key, fingerprint, algorithm,
      kind, permissions, created_at, authenticated_at, expires_at)
    select 'many-keys-' || n, ${root.userId}, 'active', '', 'f' || n, 'ES256',
      case n % 10 when 0 then 'machine' else 'device' end,
      case n % 10 when 0 then '{}'::text[] end, now() - n * interval '1 s', now(), now()
    from generate_series(1, 20000) n`)
  await db.execute(sql`
    insert into svc_auth.oauth2_clients (client_id, source, name, redirect_uris, auth_method,
      is_dpop_bound, created_at, expires_at)
    select 'many-clients-' || n, 'registration', 'n', '{}', 'none', false,
      now() - n * interval '1 s', now()
    from generate_series(1, 20000) n`)
  await db.execute(sql`analyze svc_auth.device_keys`)
  await db.execute(sql`analyze svc_auth.oauth2_clients`)
  const machines = await planOf(selectMachines(db, {}))
  expect(machines).toContain('device_keys_of_machines')
  const clients = await planOf(selectClients(db, {}))
  expect(clients).toContain('oauth2_clients_by_created')
  for (const plan of [machines, clients]) expect(plan).not.toMatch(/Seq Scan|Sort {2}/)
})

it('are refused to callers without the permission, suspended ones and strangers', async () => {
  const answers = { stranger: 401, suspended: 403, user: 403 }
  expect(await auth.answersToCallers(programContract)).toEqual({
    listAgents: answers,
    listMachines: answers,
    endAgentGrant: answers,
  })
})

it('are exposed to these callers', () => {
  expect(auth.accessOf(programContract)).toEqual([
    'fresh, may user:write endAgentGrant POST /_auth/admin/grants/:grantId/end',
    'may user:read listAgents GET /_auth/admin/agents',
    'may user:read listMachines GET /_auth/admin/machines',
  ])
})
