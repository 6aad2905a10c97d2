import { decodeProtectedHeader } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { suspendUser } from '../../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestUser } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { testTerminals } from '../device-grant/testing/test-terminal.ts'
import { issuer, refused, testAgents } from '../testing/test-agent.ts'
import { mail, openServiceHost, testServices } from '../testing/test-exchange.ts'
import { jwtOptions, testJwts, thumbprintOf } from '../testing/test-jwt-access-tokens.ts'
import { files, testResourceServer } from '../testing/test-resource-server.ts'

const host = await openServiceHost()
const auth = await startTestAuth(jwtOptions(host))
afterAll(async () => {
  host.close()
  await auth.stop()
})

const agents = testAgents(auth)
const agent = await agents.register()
const services = testServices(auth)
const server = testResourceServer(auth, issuer)
const { read, bound } = testJwts(auth, agents)

const tokensFor = (user: TestUser, fields: Record<string, string> = {}) =>
  agents.tokens(user, agent, { resource: files, ...fields })
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const inDatabase = (text: string, ...values: unknown[]) => pool.query(text, values)
const asMail = () => ({ form: server.signed({ claims: { iss: mail, sub: mail } }) })

describe('an access token that is a JWT (RFC 9068)', () => {
  it('is signed, has its own type, and says what access it gives and to whom', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const { access_token } = await tokensFor(user, { scope: 'user:read board' })
    const { header, claims } = await read(access_token)
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'new' })
    expect(claims).toEqual({
      iss: issuer,
      aud: files,
      sub: user.userId,
      client_id: agent.clientId,
      iat: seconds(),
      exp: seconds() + 300,
      jti: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'user:read board',
      permissions: ['user:read'],
    })
  })

  it('is only for the resources that say so: those of this API get opaque ones', async () => {
    const user = await auth.signedInUser()
    const own = await agents.tokens(user, agent)
    expect(own.access_token).toMatch(/^[\w-]{43}$/)
    expect((await tokensFor(user)).refresh_token).toMatch(/^[\w-]{43}$/)
  })

  it('lives five minutes, or as long as its resource says, and expires_in says so', async () => {
    const user = await auth.signedInUser()
    const answer = async (resource: string) => {
      const { body } = await agents.redeem(agent, await agents.allow(user, agent, { resource }))
      const { claims } = await read(body.access_token, { audience: resource })
      expect(claims.exp).toBe(seconds() + body.expires_in)
      return body.expires_in
    }
    expect([await answer(files), await answer(mail)]).toEqual([300, 600])
  })

  it('is signed by the algorithm of its resource', async () => {
    const { access_token } = await tokensFor(await auth.signedInUser(), { resource: mail })
    const { header } = await read(access_token, { audience: mail })
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa' })
  })

  it('has an id of its own, also if it is for the same at the same time', async () => {
    const user = await auth.signedInUser()
    const [one, other] = [await tokensFor(user), await tokensFor(user)]
    const [{ claims }, { claims: others }] = [
      await read(one.access_token),
      await read(other.access_token),
    ]
    expect(claims.jti).not.toBe(others.jti)
  })

  it('names the key that it is bound to (RFC 9449)', async () => {
    const [user, key] = [await auth.signedInUser(), await createTestKey()]
    const { access_token, token_type } = await bound(user, agent, key)
    expect(token_type).toBe('DPoP')
    expect((await read(access_token)).claims['cnf']).toEqual({ jkt: await thumbprintOf(key) })
  })

  it('is what the database has of it alone: its hash', async () => {
    const { access_token } = await tokensFor(await auth.signedInUser())
    const { rows } = await inDatabase('select t::text from svc_auth.oauth2_tokens t')
    const [, , signature = ''] = access_token.split('.')
    expect(JSON.stringify(rows)).not.toContain(signature)
    expect(JSON.stringify(auth.logged)).not.toContain(signature)
  })
})

describe('every way to an access token', () => {
  it('gives another one with each refresh', async () => {
    const user = await auth.signedInUser()
    const first = await tokensFor(user, { scope: 'user:read board' })
    auth.clock.advance('4m')
    const { body } = await agents.refresh(agent, first.refresh_token, { form: { scope: 'board' } })
    expect(body).toMatchObject({ expires_in: 300, scope: 'board' })
    const { claims } = await read(body.access_token)
    expect(claims).toMatchObject({ scope: 'board', iat: seconds(), exp: seconds() + 300 })
  })

  it('gives the same one to a refresh that is sent again', async () => {
    const first = await tokensFor(await auth.signedInUser())
    const { body } = await agents.refresh(agent, first.refresh_token)
    auth.clock.advance('5s')
    const again = await agents.refresh(agent, first.refresh_token)
    expect(again.body).toEqual({ ...body, expires_in: 295 })
  })

  it('gives one for a device code (RFC 8628)', async () => {
    const terminals = testTerminals(auth)
    const [user, terminal] = [await auth.signedInUser(), await terminals.register()]
    const code = await terminals.allowed(user, terminal, { form: { resource: files } })
    const { body } = await terminals.poll(terminal, code)
    const { claims } = await read(body.access_token)
    expect(claims).toMatchObject({ sub: user.userId, client_id: terminal.clientId })
  })

  it('gives one for an exchange, which says who acts, and ends with the token it was given for', async () => {
    const user = await auth.signedInUser()
    const { access_token } = await tokensFor(user)
    auth.clock.advance('1m')
    const relay = host.at('relay')
    const { body } = await services.exchange(relay, access_token, { form: { resource: mail } })
    expect(body.expires_in).toBe(240)
    const { claims } = await read(body.access_token, { audience: mail })
    expect(claims).toMatchObject({
      sub: user.userId,
      client_id: relay,
      act: { sub: relay, act: { sub: agent.clientId } },
      iat: seconds(),
      exp: seconds() + 240,
    })
    expect((await server.ask(body.access_token, asMail())).body).toMatchObject({
      active: true,
      act: claims['act'],
      iat: claims.iat,
    })
  })

  it('takes a token of either form for an exchange, and gives that of its target', async () => {
    const user = await auth.signedInUser()
    const relay = host.at('relay')
    const opaque = await services.exchanged(relay, (await tokensFor(user)).access_token, {
      form: { resource: `${auth.url}/mcp` },
    })
    expect(opaque).toMatch(/^[\w-]{43}$/)
    const own = await agents.tokens(user, agent)
    const long = await services.exchange(relay, own.access_token, { form: { resource: files } })
    // The exchanged token has an hour. That does not prolong what can't be taken back.
    expect(long.body.expires_in).toBe(300)
    expect((await read(long.body.access_token)).claims.sub).toBe(user.userId)
  })
})

describe('this server', () => {
  it('says of a JWT what the JWT says, when it is asked (RFC 7662)', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const { access_token } = await tokensFor(user, { scope: 'user:read board' })
    const { claims } = await read(access_token)
    auth.clock.advance('10s')
    const { body } = await server.ask(access_token)
    expect(body).toEqual({ active: true, token_type: 'Bearer', ...claims })
  })

  const ends: Record<string, (user: TestUser, token: string) => Promise<unknown>> = {
    'its owner revokes it': async ({ key }) => {
      const { grants } = (await auth.call('listOAuth2Grants', undefined, key)).body
      const params = { grantId: grants[0].grantId as string }
      return auth.call('revokeOAuth2Grant', undefined, key, { params })
    },
    'its client gives it back': (_, token) =>
      agents.send('revoke', { client_id: agent.clientId, token }),
    'the account is suspended': ({ userId }) => auth.within(() => suspendUser(userId)),
    'it expires': async () => auth.clock.advance('5m'),
  }
  it.each(Object.entries(ends))('knows a JWT no more after %s', async (_, end) => {
    const user = await auth.signedInUser()
    const { access_token } = await tokensFor(user)
    expect((await server.ask(access_token)).body.active).toBe(true)
    await end(user, access_token)
    expect((await server.ask(access_token)).body).toEqual({ active: false })
    const answer = await services.exchange(host.at('relay'), access_token)
    expect(answer).toMatchObject(refused('invalid_request'))
  })

  it('issues none that would be void: a server that does not ask would accept it', async () => {
    const user = await auth.signedInUser()
    const { refresh_token } = await tokensFor(user)
    const code = await agents.allow(user, agent, { resource: files })
    const must = (is: boolean) =>
      inDatabase(
        'update svc_auth.users set password_change_required = $2 where user_id = $1',
        user.userId,
        is,
      )
    await must(true)
    expect(await agents.refresh(agent, refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await agents.redeem(agent, code)).toMatchObject(refused('invalid_grant'))
    // Neither is used up.
    await must(false)
    expect((await agents.refresh(agent, refresh_token)).status).toBe(200)
    expect((await agents.redeem(agent, code)).status).toBe(200)
  })

  it('issues none that is bound to a device which is signed out', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const { refresh_token } = await bound(user, agent, device)
    const url = `${auth.url}/_auth/oauth2/token`
    const refresh = async () => {
      const nowMillis = auth.clock.now().getTime()
      const dpop = await dpopProof(device, { method: 'POST', url, nowMillis })
      return agents.refresh(agent, refresh_token, { headers: { dpop } })
    }
    await auth.call('logout', undefined, device)
    expect(await refresh()).toMatchObject(refused('invalid_grant'))
    await expect(bound(user, agent, device)).rejects.toThrow('invalid_grant')
  })

  it('says in its JWTs what the account has now, and not what it once had', async () => {
    const user = await auth.signedInUser({ otherRoles: ['admin'] })
    const first = await tokensFor(user, { scope: 'user:read board' })
    expect((await read(first.access_token)).claims['permissions']).toEqual(['user:read'])
    await inDatabase('delete from svc_auth.account_roles where user_id = $1', user.userId)
    const { body } = await agents.refresh(agent, first.refresh_token)
    const { claims } = await read(body.access_token)
    expect(claims).toMatchObject({ scope: 'user:read board', permissions: [] })
  })

  it('publishes every key, so that a token of the one before is still accepted', async () => {
    const { access_token } = await tokensFor(await auth.signedInUser())
    const { kid } = decodeProtectedHeader(access_token)
    const { keys } = await testJwts(auth, agents).publishedKeys()
    expect(keys.map((each: { kid: string }) => each.kid)).toEqual(['new', 'old', 'rsa'])
    expect(kid).toBe('new')
    expect(JSON.stringify(keys)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/)
  })
})
