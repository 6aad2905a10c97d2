import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth, type TestUser } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { accessTokenAuth, getAccessToken, verifyAccessToken } from '../oauth2.ts'
import { issuer, redirectUri, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { mail, openServiceHost, testServices } from '../testing/test-exchange.ts'
import { jwtOptions, testJwts } from '../testing/test-jwt-access-tokens.ts'
import { openidOptions, testRelyingParty } from '../testing/test-openid.ts'
import { files, testResourceServer } from '../testing/test-resource-server.ts'

// A resource elsewhere whose server shares the database.
const atFiles = route
  .get('/files')
  .use([accessTokenAuth(files)])
  .handler((c) => getAccessToken(c).scopes)
const router = defineRouter({ ...agentApp.router.routes, atFiles })

const host = await openServiceHost()
const given = jwtOptions(host)
const { authorizationServer } = given.options
const auth = await startTestAuth({
  ...given,
  router,
  options: {
    ...given.options,
    authorizationServer: {
      ...authorizationServer,
      openid: openidOptions.options.authorizationServer.openid,
    },
  },
})
afterAll(async () => {
  host.close()
  await auth.stop()
})

const agents = testAgents(auth)
const agent = await agents.register()
const services = testServices(auth)
const server = testResourceServer(auth, issuer)
const intranet = testRelyingParty(auth)
const { read, bound, publishedKeys } = testJwts(auth, agents)

const tokenFor = async (user: TestUser, fields: Record<string, string> = {}) =>
  (await agents.tokens(user, agent, { resource: files, ...fields })).access_token

/** Everything of an answer but its time and its id. */
async function whole(path: string, authorization: string) {
  const answer = await auth.fetch(path, { headers: { authorization } })
  const others = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  const { error } = await answer.json()
  return { status: answer.status, headers: others, error: { ...error, requestId: '' } }
}

describe('a JWT at this API', () => {
  it('opens no resource of it, and looks as a token that never was', async () => {
    const token = await tokenFor(await auth.signedInUser())
    for (const path of ['/mcp', '/mcp/users', '/_auth/oauth2/userinfo']) {
      for (const scheme of ['Bearer', 'DPoP']) {
        const unknown = await whole(path, `${scheme} ${'x'.repeat(43)}`)
        expect(unknown.status).toBe(401)
        expect(Object.fromEntries(unknown.headers)['www-authenticate']).toContain('invalid_token')
        expect(await whole(path, `${scheme} ${token}`)).toEqual(unknown)
      }
    }
  })

  it('is no request that a device has signed', async () => {
    const token = await tokenFor(await auth.signedInUser())
    for (const path of ['/own', '/_auth/oauth2/grants', '/_auth/session']) {
      const answer = await auth.fetch(path, { headers: { authorization: `Bearer ${token}` } })
      expect([path, answer.status]).toEqual([path, 401])
    }
  })

  it('opens the resource elsewhere that it is for, if its server shares the database', async () => {
    const token = await tokenFor(await auth.signedInUser())
    expect((await agents.open(token, { path: '/files' })).body).toEqual(['board'])
    const checked = (resource: string) => auth.within(() => verifyAccessToken(token, resource))
    expect(await checked(files)).toMatchObject({ resource: files })
    expect([await checked('/mcp'), await checked(mail)]).toEqual([null, null])
  })

  it('is asked about there at once, unlike at a server that only checks its signature', async () => {
    const user = await auth.signedInUser()
    const token = await tokenFor(user)
    await agents.send('revoke', { client_id: agent.clientId, token })
    expect((await agents.open(token, { path: '/files' })).status).toBe(401)
    expect((await read(token)).claims.sub).toBe(user.userId)
  })

  it('needs its key there, and a proof for itself (RFC 9449)', async () => {
    const [user, key] = [await auth.signedInUser(), await createTestKey()]
    const { access_token: token } = await bound(user, agent, key)
    const open = async (scheme: string, proven?: string) => {
      const url = `${auth.url}/files`
      const nowMillis = auth.clock.now().getTime()
      const request = { method: 'GET', url, nowMillis, ...(proven && { token: proven }) }
      const headers = { authorization: `${scheme} ${token}`, dpop: await dpopProof(key, request) }
      return (await fetch(url, { headers })).status
    }
    const other = (await bound(user, agent, key)).access_token
    expect(await open('DPoP', token)).toBe(200)
    expect(await open('Bearer', token)).toBe(401)
    expect(await open('DPoP', other)).toBe(401)
    expect(await open('DPoP')).toBe(401)
    expect((await agents.open(token, { path: '/files' })).status).toBe(401)
  })
})

describe('a JWT that was changed', () => {
  it('is unknown here, also if its signature still holds', async () => {
    const token = await tokenFor(await auth.signedInUser())
    const [head = '', claims = '', signature = ''] = token.split('.')
    const r = Buffer.from(signature, 'base64url').subarray(0, 32)
    const s = Buffer.from(signature, 'base64url').subarray(32)
    // Of each signature of ECDSA there is a second one.
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const second = (order - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0')
    const twin = Buffer.concat([r, Buffer.from(second, 'hex')]).toString('base64url')
    const forged = [`${head}.${claims}.${twin}`, `${head}.${claims}.`, `${token}=`, `${token}.`]
    expect((await read(forged[0] as string)).claims.aud).toBe(files)
    for (const each of [...forged, ` ${token}`]) {
      expect((await server.ask(each)).body).toEqual({ active: false })
      expect((await agents.open(each, { path: '/files' })).status).toBe(401)
    }
    expect((await server.ask(token)).body.active).toBe(true)
  })
})

describe('another token of this server', () => {
  it('is no access token: neither an id token here, nor one for an application there', async () => {
    const { id_token } = await intranet.signIn(await auth.signedInUser())
    expect((await server.ask(id_token)).body).toEqual({ active: false })
    expect((await agents.open(id_token, { path: '/files' })).status).toBe(401)
    await expect(read(id_token, { audience: 'intranet' })).rejects.toThrow('"typ"')
  })

  it('is not what an access token is taken for: a hint, a code, a refresh token', async () => {
    const user = await auth.signedInUser()
    const token = await tokenFor(user)
    expect(await intranet.answered(user, { id_token_hint: token })).toMatchObject({
      error: 'login_required',
    })
    // Applications know the type by its absence.
    await expect(intranet.claimsOf(token)).rejects.toThrow('"aud"')
    const code = { code: token, verifier: 'x'.repeat(43) }
    expect(await agents.redeem(agent, code)).toMatchObject(refused('invalid_request'))
    expect(await agents.refresh(agent, token)).toMatchObject(refused('invalid_request'))
  })

  it('is no proof of a client, also of one that claims the keys of this server', async () => {
    const client = await agents.register({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: (await publishedKeys()).keys.slice(0, 1) },
    })
    const token = await tokenFor(await auth.signedInUser())
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: token,
    }
    for (const client_id of [client.clientId, undefined]) {
      const form = { ...assertion, client_id, token }
      expect(await agents.send('revoke', form)).toMatchObject(refused('invalid_client', 401))
    }
    const question = await server.ask(token, { form: assertion })
    expect(question).toMatchObject(refused('invalid_client', 401))
  })
})

describe('a client', () => {
  it('does not choose what a JWT says: its audience is as the operator has written it', async () => {
    const user = await auth.signedInUser()
    for (const resource of ['https://files.example.com', 'HTTPS://FILES.EXAMPLE.COM:443/']) {
      const { claims } = await read(await tokenFor(user, { resource }))
      expect(claims.aud).toBe(files)
    }
    const elsewhere = ['https://files.example.com/other', `${files}?a`, 'https://example.com/']
    for (const resource of elsewhere) {
      const asked = agents.asked(agent, 'x'.repeat(43), { resource })
      const { body } = await agents.decide(user, asked)
      const answer = new URL(body.redirectTo ?? redirectUri).searchParams
      expect([resource, answer.get('code'), answer.get('error') ?? body.error]).toEqual([
        resource,
        null,
        'invalid_target',
      ])
    }
  })

  it('gets no JWT of one resource for a token of another, nor shows one there', async () => {
    const user = await auth.signedInUser()
    const token = await tokenFor(user)
    const asMail = { form: server.signed({ claims: { iss: mail, sub: mail } }) }
    expect((await server.ask(token, asMail)).body).toEqual({ active: false })
    await expect(read(token, { audience: mail })).rejects.toThrow('"aud"')
    const form = { resource: mail }
    const { refresh_token } = await agents.tokens(user, agent, { resource: files })
    expect(await agents.refresh(agent, refresh_token, { form })).toMatchObject(
      refused('invalid_target'),
    )
  })

  it('ends nothing with the JWT of another client', async () => {
    const token = await tokenFor(await auth.signedInUser())
    const other = await agents.register()
    await agents.send('revoke', { client_id: other.clientId, token })
    expect((await server.ask(token)).body.active).toBe(true)
  })

  it('gets no longer token than a header can carry, and keeps its code', async () => {
    const names = Array.from({ length: 60 }, (_, at) => [`${at}-${'x'.repeat(97)}`, 'One of many'])
    const { defaultScopes: _, exchange: _none, ...others } = authorizationServer
    const options = { authorizationServer: { ...others, scopes: Object.fromEntries(names) } }
    const large = await startTestAuth({ ...given, options })
    const there = testAgents(large)
    const [client, user] = [await there.register(), await large.signedInUser()]
    const code = await there.allow(user, client, { resource: files })
    for (const _again of [1, 2]) {
      expect(await there.redeem(client, code)).toMatchObject(refused('invalid_scope'))
    }
    expect((await there.tokens(user, client)).scope.length).toBeGreaterThan(5000)
    await large.stop()
  })

  it('is refused with a longer text than a token can be', async () => {
    const long = `a.b.${'x'.repeat(7997)}`
    const gone = await agents.send('revoke', { client_id: agent.clientId, token: long })
    expect(gone).toMatchObject(refused('invalid_request'))
    const answer = await services.exchange(host.at('relay'), long)
    expect(answer).toMatchObject(refused('invalid_request'))
    expect((await agents.open(long, { path: '/files' })).status).toBe(401)
    expect((await server.ask(long)).body).toEqual({ active: false })
  })
})
