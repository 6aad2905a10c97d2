import { afterAll, describe, expect, it } from 'vitest'
import { oauth2GrantedEvent } from '../../events.ts'
import { createTestKey, type TestKey } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { testAgents } from '../testing/test-agent.ts'
import { mail } from '../testing/test-exchange.ts'
import { files } from '../testing/test-resource-server.ts'
import { startCompany } from './testing/test-company.ts'

const company = await startCompany()
const { auth, idp, assistant, employee, linkedUser, redeem, tokenOf } = company
afterAll(company.stop)
const agents = testAgents(auth)
const atMcp = `${auth.url}/mcp`
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()

const grantsOf = async ({ key }: { key: TestKey }) =>
  (await auth.call('listOAuth2Grants', undefined, key)).body.grants

const mailsTo = async (userId: string) => {
  const { rows } = await pool.query(
    `select data->'input'->'facts' as facts from svc_jobs.job where name = 'auth.notice'
     and data->'input'->>'userId' = $1 and data->'input'->>'template' = 'agent-connected'`,
    [userId],
  )
  return rows.map(({ facts }) => facts)
}

const proofOf = async (key: TestKey) => ({
  dpop: await dpopProof(key, {
    method: 'POST',
    url: `${auth.url}/_auth/oauth2/token`,
    nowMillis: auth.clock.now().getTime(),
  }),
})

describe('an assertion of an identity provider', () => {
  it('gives its client an access token for the account that its user signs in to', async () => {
    const { userId, sub } = await employee()
    const { status, headers, body } = await redeem(sub)
    expect([status, headers.get('cache-control'), body]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'user:read board',
        resource: atMcp.replace(auth.url, new URL(body.resource).origin),
      },
    ])
    expect(await agents.open(body.access_token)).toMatchObject({ status: 200, body: { userId } })
  })

  it('gives no refresh token: the next access token takes another assertion', async () => {
    const { sub } = await employee()
    const { body } = await redeem(sub)
    expect(body).not.toHaveProperty('refresh_token')
    auth.clock.advance('61m')
    expect(await agents.isOpen(body.access_token)).toBe(false)
    expect(await agents.isOpen(await tokenOf(sub))).toBe(true)
  })

  it('gives the permissions that the account has at each request', async () => {
    const { sub, userId } = await linkedUser({ role: 'admin' })
    const token = await tokenOf(sub)
    const allowed = async () => (await agents.open(token, { path: '/mcp/users' })).status
    expect(await allowed()).toBe(200)
    await pool.query(`update svc_auth.users set role = 'user' where user_id = $1`, [userId])
    expect(await allowed()).toBe(403)
  })

  it('gives the scopes that it, the configuration and the request name', async () => {
    const { sub } = await employee()
    const scopeOf = async (scope?: string, asserted: string | undefined = 'board user:read') =>
      (await redeem(sub, { claims: { scope: asserted }, form: { scope } })).body
    expect((await scopeOf('board')).scope).toBe('board')
    // Clients ask for everything that the resource offers.
    expect((await scopeOf('board audit:read unknown')).scope).toBe('board')
    expect((await scopeOf(undefined, 'openid audit:read board')).scope).toBe('board')
    expect((await scopeOf('audit:read')).error).toBe('invalid_scope')
    expect((await scopeOf('board', 'audit:read openid')).error).toBe('invalid_grant')
  })

  it('that names no scope gives the defaults, or what is asked for', async () => {
    const { sub } = await employee()
    const claims = { scope: undefined }
    expect((await redeem(sub, { claims })).body.scope).toBe('board')
    const form = { scope: 'user:read audit:read' }
    expect((await redeem(sub, { claims, form })).body.scope).toBe('user:read')
  })

  it('is for the resource that it names, and for no other', async () => {
    const { sub } = await employee()
    const other = `${auth.url}/other`
    const given = async (resource?: unknown, asked?: string) =>
      (await redeem(sub, { claims: { resource }, form: { resource: asked } })).body
    expect((await given(files)).resource).toBe(files)
    expect((await given([mail, files])).resource).toBe(files)
    expect((await given([atMcp, files], files)).resource).toBe(files)
    expect((await given(undefined, files)).resource).toBe(files)
    expect((await given(files, atMcp)).error).toBe('invalid_target')
    expect((await given(undefined, mail)).error).toBe('invalid_target')
    // One that the server has, one that it has not, and one that the identity provider may not name.
    for (const strange of [other, 'https://unknown.example.com/', mail, []]) {
      expect((await given(strange)).error).toBe('invalid_grant')
    }
    const token = await tokenOf(sub, { claims: { resource: files } })
    expect(await agents.isOpen(token)).toBe(false)
  })

  it('holds with the other algorithm that its provider signs with', async () => {
    const { sub } = await employee()
    expect((await redeem(sub, { forgery: { alg: 'ES256' } })).status).toBe(200)
  })
})

describe('the grant of an identity provider', () => {
  it('is one entry among connected agents, with its issuer, however often it is used', async () => {
    const user = await employee()
    for (let each = 0; each < 3; each++) await tokenOf(user.sub)
    expect(await grantsOf(user)).toEqual([
      expect.objectContaining({
        clientId: assistant,
        issuer: idp.issuer,
        redirectHost: new URL(assistant).host,
        resource: '/mcp',
      }),
    ])
    auth.clock.advance('2h')
    await tokenOf(user.sub)
    expect(await grantsOf(user)).toHaveLength(1)
  })

  it('is told by an event, in the trail and by mail, once', async () => {
    const told: object[] = []
    const leave = oauth2GrantedEvent.subscribe((event) => void told.push(event))
    const { userId, sub } = await employee()
    await tokenOf(sub)
    auth.clock.advance('2h')
    await tokenOf(sub)
    leave()
    const granted = { clientId: assistant, issuer: idp.issuer, scopes: ['user:read', 'board'] }
    expect(told).toEqual([expect.objectContaining({ userId, ...granted })])
    const { rows } = await pool.query(
      `select target, details from svc_auth.audit_events where act = 'oauth2.asserted' and actor = $1`,
      [userId],
    )
    expect(rows).toEqual([
      { target: assistant, details: expect.objectContaining({ ...granted, resource: '/mcp' }) },
    ])
    expect(await mailsTo(userId)).toEqual([
      expect.objectContaining({
        allowedBy: new URL(idp.issuer).host,
        clientName: expect.any(String),
      }),
    ])
  })

  it('is bound to the key of a client that sends a proof', async () => {
    const { sub } = await employee()
    const key = await createTestKey()
    const { body } = await redeem(sub, { headers: await proofOf(key) })
    expect(body.token_type).toBe('DPoP')
    expect(await agents.isOpen(body.access_token)).toBe(false)
    const dpop = await dpopProof(key, {
      method: 'GET',
      url: atMcp,
      nowMillis: auth.clock.now().getTime(),
      token: body.access_token,
    })
    const headers = { authorization: `DPoP ${body.access_token}`, dpop }
    expect((await agents.open(body.access_token, { headers })).status).toBe(200)
  })

  it('of a key that was not used for an hour gives way to the next: the list does not grow', async () => {
    const user = await employee()
    const withKey = async () => redeem(user.sub, { headers: await proofOf(await createTestKey()) })
    await withKey()
    await withKey()
    expect(await grantsOf(user)).toHaveLength(2)
    auth.clock.advance('61m')
    await withKey()
    expect(await grantsOf(user)).toHaveLength(1)
    expect(await mailsTo(user.userId)).toHaveLength(1)
  })

  it('of a client that makes a key for each request uses up its own room, for an hour', async () => {
    const user = await employee()
    const withKey = async () => redeem(user.sub, { headers: await proofOf(await createTestKey()) })
    await withKey()
    await pool.query(
      `with one as (select * from svc_auth.oauth2_grants where user_id = $1),
       more as (
         insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource, redirect_uri,
           code_hash, code_challenge, code_expires_at, key_thumbprint, created_at, expires_at, issuer)
         select state, user_id, generation, client_id, scopes, resource, redirect_uri, code_hash || n, '',
           code_expires_at, key_thumbprint || n, created_at, expires_at, issuer
         from one, generate_series(2, 100) n returning grant_id)
       insert into svc_auth.oauth2_tokens (token_hash, grant_id, kind, scopes, expires_at)
       select grant_id::text, grant_id, 'access', '{board}', $2 from more`,
      [user.userId, new Date(auth.clock.now().getTime() + 3_600_000)],
    )
    expect((await withKey()).body.error).toBe('invalid_request')
    expect((await redeem(user.sub, {}, company.host.at('other'))).status).toBe(200)
    auth.clock.advance('61m')
    expect((await withKey()).status).toBe(200)
  })

  it('takes no device of the account for the key of a client', async () => {
    const { sub, key } = await linkedUser()
    const { body } = await redeem(sub, { headers: await proofOf(key) })
    expect(body.error).toBe('invalid_dpop_proof')
  })

  it('asks a client that has promised to bind its tokens for its key', async () => {
    const { sub } = await employee()
    const bound = company.host.at('bound')
    expect((await redeem(sub, {}, bound)).body.error).toBe('invalid_dpop_proof')
    const headers = await proofOf(await createTestKey())
    expect((await redeem(sub, { headers }, bound)).body.token_type).toBe('DPoP')
  })

  it('can be passed on, as every other one', async () => {
    const user = await employee()
    const relay = company.host.at('relay')
    const token = await tokenOf(user.sub)
    auth.clock.advance('1s')
    const form = { resource: files }
    const passedOn = await company.services.exchanged(relay, token, { form })
    expect(passedOn).toMatch(/^[\w-]{43}$/)
    const [below, above] = (await grantsOf(user)) as { parentId?: string; issuer?: string }[]
    expect([below?.issuer, above?.issuer]).toEqual([undefined, idp.issuer])
  })
})
