import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { hashToken } from '../../crypto/crypto.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { oauth2Grants } from '../grants/schema.ts'
import { agentOptions, issuer, redirectUri, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { oauth2DeviceRequests } from './schema.ts'
import { deviceGrantType, testTerminals } from './testing/test-terminal.ts'

const auth = await startTestAuth(agentApp)
const without = { ...agentOptions.options.authorizationServer, deviceGrant: false }
const off = await startTestAuth({ options: { authorizationServer: without } })
afterAll(() => Promise.all([auth.stop(), off.stop()]))
const agents = testAgents(auth)
const terminals = testTerminals(auth)
const agent = await terminals.register()
const user = await auth.signedInUser()

const pending = refused('authorization_pending')
const slow = refused('slow_down')
const rowsOf = ({ device_code }: { device_code: string }) =>
  auth.auth.db
    .select()
    .from(oauth2DeviceRequests)
    .where(eq(oauth2DeviceRequests.codeHash, hashToken(device_code)))

describe('a program without a browser (RFC 8628)', () => {
  it('gets a code to show and one to poll with, and no cache may keep them (section 3.2)', async () => {
    const { status, body, headers } = await terminals.ask(agent)
    expect(status).toBe(200)
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/),
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(headers.get('cache-control')).toBe('no-store')
    const [row] = await rowsOf(body)
    expect(JSON.stringify(row)).not.toContain(body.device_code)
  })

  it('gets tokens once its user has allowed it, and renews them', async () => {
    const code = await terminals.start(agent, { form: { scope: 'board user:read' } })
    expect(await terminals.poll(agent, code)).toMatchObject(pending)
    expect((await terminals.decide(code, user)).status).toBe(204)
    const { status, body, headers } = await terminals.poll(agent, code)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'board user:read' })
    expect((await agents.open(body.access_token)).body).toMatchObject({ userId: user.userId })
    expect((await agents.refresh(agent, body.refresh_token)).status).toBe(200)
  })

  it('has to declare the grant: no code is shown in the name of another client (section 5.4)', async () => {
    const other = await agents.register()
    expect(await terminals.ask(other)).toMatchObject(refused('unauthorized_client'))
    const code = await terminals.allowed(user, agent)
    expect(await terminals.poll(other, code)).toMatchObject(refused('unauthorized_client'))
  })

  it('authenticates as it does at the token endpoint', async () => {
    const metadata = { token_endpoint_auth_method: 'client_secret_post' }
    const secret = await terminals.register(metadata)
    const wrong = { ...secret, clientSecret: 'wrong' }
    expect(await terminals.ask(wrong)).toMatchObject(refused('invalid_client', 401))
    expect(await terminals.ask({ clientId: 'unknown' })).toMatchObject(
      refused('invalid_client', 401),
    )
    const code = await terminals.allowed(user, secret)
    expect(await terminals.poll(wrong, code)).toMatchObject(refused('invalid_client', 401))
    expect((await terminals.poll(secret, code)).status).toBe(200)
  })

  it('may leave parameters empty, and send none twice (section 3.1)', async () => {
    const empty = { scope: '', resource: '', dpop_jkt: '', client_secret: '', unknown: 'x' }
    expect((await terminals.ask(agent, { form: empty })).status).toBe(200)
    const body = `client_id=${agent.clientId}&client_id=${agent.clientId}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = '/_auth/oauth2/device_authorization'
    const twice = await auth.fetch(path, { method: 'POST', headers, body })
    expect([twice.status, (await twice.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('asks for scopes and a resource that are there', async () => {
    const ask = (form: Record<string, string>) => terminals.ask(agent, { form })
    expect(await ask({ scope: 'everything' })).toMatchObject(refused('invalid_scope'))
    expect(await ask({ resource: 'https://x.example/' })).toMatchObject(refused('invalid_target'))
    const form = { resource: `${auth.url}/other` }
    const code = await terminals.allowed(user, agent, { form })
    const wrong = await terminals.poll(agent, code, { form: { resource: `${auth.url}/mcp` } })
    expect(wrong).toMatchObject(refused('invalid_target'))
    expect((await terminals.poll(agent, code, { form })).status).toBe(200)
  })

  it('registers without a redirect URI, but not without a name', async () => {
    const register = (metadata: object) => auth.call('registerOAuth2Client', metadata)
    const grant_types = [deviceGrantType]
    const named = { client_name: 'A terminal', grant_types, token_endpoint_auth_method: 'none' }
    const { status, body } = await register(named)
    expect([status, body.grant_types, body.response_types]).toEqual([
      201,
      [deviceGrantType, 'refresh_token'],
      [],
    ])
    expect(await register({ ...named, client_name: undefined })).toMatchObject(
      refused('invalid_client_metadata'),
    )
    expect(await off.call('registerOAuth2Client', named)).toMatchObject(
      refused('invalid_client_metadata'),
    )
    const both = { ...named, redirect_uris: [redirectUri] }
    expect((await register(both)).status).toBe(400)
    const withCode = { ...both, grant_types: [deviceGrantType, 'authorization_code'] }
    expect((await register(withCode)).body.grant_types).toEqual([
      'authorization_code',
      deviceGrantType,
      'refresh_token',
    ])
  })
})

describe('a poll', () => {
  it('that comes too soon makes the interval longer by five seconds, and again (section 3.5)', async () => {
    const code = await terminals.start(agent)
    expect(await terminals.poll(agent, code)).toMatchObject(pending)
    auth.clock.advance(4999)
    expect(await terminals.poll(agent, code)).toMatchObject(slow)
    auth.clock.advance(9999)
    expect(await terminals.poll(agent, code)).toMatchObject(slow)
    auth.clock.advance(14_999)
    expect(await terminals.poll(agent, code)).toMatchObject(slow)
    auth.clock.advance(20_000)
    expect(await terminals.poll(agent, code)).toMatchObject(pending)
    expect((await rowsOf(code))[0]?.intervalSeconds).toBe(20)
  })

  it('of what was decided may come at any time', async () => {
    const code = await terminals.start(agent)
    await terminals.poll(agent, code)
    await terminals.decide(code, user)
    expect((await terminals.poll(agent, code)).status).toBe(200)
  })

  it('learns that its user has denied it, with a 400 (section 3.5)', async () => {
    const code = await terminals.start(agent)
    expect((await terminals.deny(code, user)).status).toBe(204)
    expect(await terminals.poll(agent, code)).toMatchObject(refused('access_denied'))
    expect((await terminals.decide(code, user)).status).toBe(404)
  })

  it('learns that its code has expired after ten minutes, whether it was allowed or not', async () => {
    const [code, other] = [await terminals.start(agent), await terminals.allowed(user, agent)]
    auth.clock.advance(599_999)
    expect(await terminals.poll(agent, code)).toMatchObject(pending)
    auth.clock.advance(1)
    for (const each of [code, other]) {
      expect(await terminals.poll(agent, each)).toMatchObject(refused('expired_token'))
    }
    const newest = await auth.signedInUser()
    expect((await terminals.decide(code, newest)).status).toBe(404)
  })

  it('with another client’s code, or none, is an invalid grant', async () => {
    const code = await terminals.allowed(await auth.signedInUser(), agent)
    const other = await terminals.register()
    for (const [by, device_code] of [
      [other, code.device_code],
      [agent, 'x'.repeat(43)],
      [agent, code.user_code],
    ] as const) {
      expect(await terminals.poll(by, { device_code })).toMatchObject(refused('invalid_grant'))
    }
    const none = await terminals.poll(agent, code, { form: { device_code: undefined } })
    expect(none).toMatchObject(refused('invalid_grant'))
    expect((await terminals.poll(agent, code)).status).toBe(200)
  })

  it('with a code that was used ends what it began', async () => {
    const code = await terminals.allowed(await auth.signedInUser(), agent)
    const { body } = await terminals.poll(agent, code)
    auth.clock.advance(1)
    expect(await terminals.poll(agent, code)).toMatchObject(refused('invalid_grant'))
    expect(await agents.isOpen(body.access_token)).toBe(false)
  })

  it('is no way to redeem a device code as the code of a redirect', async () => {
    const code = await terminals.allowed(await auth.signedInUser(), agent)
    const answer = await agents.redeem(agent, { code: code.device_code, verifier: 'v'.repeat(43) })
    expect(answer).toMatchObject(refused('invalid_grant'))
    expect((await terminals.poll(agent, code)).status).toBe(200)
  })
})

describe('a code that is bound to a key (RFC 9449)', () => {
  const proofBy = async (key: Awaited<ReturnType<typeof createTestKey>>, path: string) => ({
    dpop: await dpopProof(key, {
      method: 'POST',
      url: `${auth.url}/_auth/oauth2/${path}`,
      nowMillis: auth.clock.now().getTime(),
    }),
  })

  it('is redeemed only with the key that asked for it', async () => {
    const [key, thief, owner] = [
      await createTestKey(),
      await createTestKey(),
      await auth.signedInUser(),
    ]
    const headers = await proofBy(key, 'device_authorization')
    const code = await terminals.allowed(owner, agent, { headers })
    const wrong = refused('invalid_dpop_proof')
    expect(await terminals.poll(agent, code)).toMatchObject(wrong)
    const stolen = { headers: await proofBy(thief, 'token') }
    expect(await terminals.poll(agent, code, stolen)).toMatchObject(wrong)
    const own = { headers: await proofBy(key, 'token') }
    const { body } = await terminals.poll(agent, code, own)
    expect(body.token_type).toBe('DPoP')
  })

  it('is redeemed only with the key that it was polled with first', async () => {
    const [key, thief, owner] = [
      await createTestKey(),
      await createTestKey(),
      await auth.signedInUser(),
    ]
    const code = await terminals.start(agent)
    const poll = async (by: typeof key) =>
      terminals.poll(agent, code, { headers: await proofBy(by, 'token') })
    expect(await poll(key)).toMatchObject(pending)
    await terminals.decide(code, owner)
    expect(await poll(thief)).toMatchObject(refused('invalid_dpop_proof'))
    expect(await terminals.poll(agent, code)).toMatchObject(refused('invalid_dpop_proof'))
    expect((await poll(key)).body.token_type).toBe('DPoP')
  })

  it('names its key by a thumbprint, which no proof contradicts', async () => {
    const key = await createTestKey()
    const ask = (dpop_jkt: string, headers = {}) =>
      terminals.ask(agent, { form: { dpop_jkt }, headers })
    expect(await ask('short')).toMatchObject(refused('invalid_request'))
    const headers = await proofBy(key, 'device_authorization')
    expect(await ask('t'.repeat(43), headers)).toMatchObject(refused('invalid_dpop_proof'))
    const { status, body } = await ask('t'.repeat(43))
    expect(status).toBe(200)
    expect(await terminals.poll(agent, body)).toMatchObject(refused('invalid_dpop_proof'))
  })
})

describe('what was allowed', () => {
  it('is listed, and ends like every other grant', async () => {
    const owner = await auth.signedInUser()
    const code = await terminals.allowed(owner, agent)
    const { body } = await terminals.poll(agent, code)
    const listed = await auth.call('listOAuth2Grants', undefined, owner.key)
    const [grant] = listed.body.grants
    expect(grant).toMatchObject({ clientName: 'A terminal', redirectHost: 'device-code:' })
    const params = { grantId: grant.grantId }
    await auth.call('revokeOAuth2Grant', undefined, owner.key, { params })
    expect(await agents.isOpen(body.access_token)).toBe(false)
  })

  it('is in the list of operators, although its client redirects to no host', async () => {
    const operator = await auth.signedInUser({ role: 'superadmin' })
    const { body } = await auth.call('listAgents', undefined, operator.key)
    const listed = body.agents.find(
      (each: { clientId: string }) => each.clientId === agent.clientId,
    )
    expect(listed).toMatchObject({ name: 'A terminal', redirectHosts: ['device-code:'] })
  })

  it('gives nothing once its user has signed out everywhere', async () => {
    const owner = await auth.signedInUser()
    const code = await terminals.allowed(owner, agent)
    await auth.call('revokeAllKeys', { includeCurrent: true }, owner.key)
    expect(await terminals.poll(agent, code)).toMatchObject(refused('invalid_grant'))
  })

  it('is told to the owner without a place that it redirects to', async () => {
    const owner = await auth.signedInUser()
    const code = await terminals.allowed(owner, agent)
    const redeem = async () => void (await terminals.poll(agent, code))
    const { text } = await auth.sentBy(redeem, owner.email, 'agent-connected')
    expect(text).toContain('A terminal')
    expect(text).not.toContain('It redirects to')
  })

  it('is deleted with the account, and requests a day after they have expired', async () => {
    const owner = await auth.signedInUser()
    const code = await terminals.allowed(owner, agent)
    const [row] = await rowsOf(code)
    expect(row).toMatchObject({ state: 'approved', claimedBy: owner.userId })
    auth.clock.advance('24h')
    await auth.sweep()
    expect(await rowsOf(code)).toHaveLength(1)
    expect(await terminals.poll(agent, code)).toMatchObject(refused('expired_token'))
    auth.clock.advance('10m')
    await auth.sweep()
    expect(await rowsOf(code)).toEqual([])
    expect(await terminals.poll(agent, code)).toMatchObject(refused('invalid_grant'))
    const { db } = auth.auth
    expect(await db.$count(oauth2Grants, eq(oauth2Grants.userId, owner.userId))).toBe(0)
  })
})

describe('where the grant is off', () => {
  it('there are no operations for it, and the grant type is not known', async () => {
    const at = testTerminals(off)
    const other = await testAgents(off).register()
    const someone = await off.signedInUser()
    expect((await at.ask(other)).status).toBe(404)
    const code = { user_code: '2222-2222', device_code: 'x' }
    expect((await at.look(code, someone)).status).toBe(404)
    expect((await at.decide(code, someone)).status).toBe(404)
    expect(await at.poll(other, code)).toMatchObject(refused('unsupported_grant_type'))
  })
})
