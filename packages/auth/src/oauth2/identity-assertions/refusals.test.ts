import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthLifecycle } from '../../lifecycle.ts'
import { createOidcProvider } from '../../providers/providers.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { issuer, refused } from '../testing/test-agent.ts'
import { serviceKey, testServices } from '../testing/test-exchange.ts'
import {
  openCompany,
  otherIssuer,
  partner,
  startCompany,
  testEmployees,
} from './testing/test-company.ts'

const company = await startCompany()
const { auth, idp, assistant, host, employee, redeem, assertion, formOf, services } = company
afterAll(company.stop)
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)

const unusable = {
  status: 400,
  body: {
    error: 'invalid_grant',
    error_description:
      'The assertion is malformed, expired, used, or for another client or server, or its user has no account here.',
  },
}
type Sending = NonNullable<Parameters<typeof redeem>[1]>

describe('an assertion is refused, in the same words for every fault', () => {
  const ids = { long: 'x'.repeat(257), nul: 'a\u0000b' }
  const faults: [string, () => Sending][] = [
    ['is for another server', () => ({ claims: { aud: 'https://other.example.com' } })],
    ['is for other servers too', () => ({ claims: { aud: [issuer, 'https://b.example'] } })],
    ['names the issuer twice', () => ({ claims: { aud: [issuer, issuer] } })],
    ['is for the token endpoint', () => ({ claims: { aud: `${issuer}/_auth/oauth2/token` } })],
    ['names the issuer in another form', () => ({ claims: { aud: `${issuer}/` } })],
    ['is for nothing', () => ({ claims: { aud: undefined } })],
    ['is for another client', () => ({ claims: { client_id: host.at('other') } })],
    ['is for two clients', () => ({ claims: { client_id: [assistant] } })],
    ['is for no client', () => ({ claims: { client_id: undefined } })],
    ['is from a stranger', () => ({ claims: { iss: 'https://stranger.example.com' } })],
    ['is from the identity provider of others', () => ({ claims: { iss: otherIssuer } })],
    ['names no issuer', () => ({ claims: { iss: undefined } })],
    ['is from this server', () => ({ claims: { iss: issuer } })],
    ['has no user', () => ({ claims: { sub: undefined } })],
    ['has an empty user', () => ({ claims: { sub: '' } })],
    ['has a user that is no text', () => ({ claims: { sub: 7 } })],
    ['has a user with a control character', () => ({ claims: { sub: ids.nul } })],
    ['has an unknown user', () => ({ claims: { sub: randomUUID() } })],
    ['has no id', () => ({ claims: { jti: undefined } })],
    ['has an empty id', () => ({ claims: { jti: '' } })],
    ['has an id that is too long', () => ({ claims: { jti: ids.long } })],
    ['has an id that is no text', () => ({ claims: { jti: 7 } })],
    ['has no issuing time', () => ({ claims: { iat: undefined } })],
    ['does not expire', () => ({ claims: { exp: undefined } })],
    ['has expired', () => ({ claims: { iat: seconds() - 331, exp: seconds() - 31 } })],
    ['lives too long', () => ({ claims: { exp: seconds() + 301 } })],
    ['is from the future', () => ({ claims: { iat: seconds() + 31, exp: seconds() + 60 } })],
    ['does not hold yet', () => ({ claims: { nbf: seconds() + 31 } })],
    ['has times that are no numbers', () => ({ claims: { iat: 'now' } })],
    ['belongs to a tenant', () => ({ claims: { tenant: 'acme' } })],
    ['is for a tenant here', () => ({ claims: { aud_tenant: 'acme' } })],
    ['has details of access', () => ({ claims: { authorization_details: [{ type: 'x' }] } })],
    ['has scopes that are no text', () => ({ claims: { scope: ['board'] } })],
    ['has no scope of this server', () => ({ claims: { scope: '' } })],
    ['has a resource that is no text', () => ({ claims: { resource: [7] } })],
    ['is bound to a key', () => ({ claims: { cnf: { jkt: 'x'.repeat(43) } } })],
    ['is bound to a certificate', () => ({ claims: { cnf: { 'x5t#S256': 'x'.repeat(43) } } })],
    ['is bound to nothing known', () => ({ claims: { cnf: 'x' } })],
    ['is signed by another key', () => ({ forgery: { key: 'foreign' } })],
    ['is signed by an unknown key', () => ({ forgery: { kid: 'unknown' } })],
    ['is signed with the public key as a secret', () => ({ forgery: { alg: 'HS256' } })],
    ['is not signed', () => ({ forgery: { alg: 'none' } })],
    ['says nothing of its type', () => ({ forgery: { typ: undefined as never } })],
    ['is an id token', () => ({ forgery: { typ: 'JWT' } })],
    ['is an access token', () => ({ forgery: { typ: 'at+jwt' } })],
    ['is a logout token', () => ({ forgery: { typ: 'logout+jwt' } })],
    ['is an assertion of a client', () => ({ forgery: { typ: 'client-authentication+jwt' } })],
  ]
  it.each(faults)('if it %s', async (_, fault) => {
    const { sub } = await employee()
    const { status, body } = await redeem(sub, fault())
    expect({ status, body }).toEqual(unusable)
    expect((await redeem(sub)).status).toBe(200)
  })

  it.each([
    ['empty', ''],
    ['one part', 'x'],
    ['no JSON', 'a.b.c'],
    ['no ASCII', 'é.é.é'],
    ['of empty parts', 'e30.e30.'],
    ['as long as one can be', 'x'.repeat(8192)],
  ])('if it is %s', async (_, text) => {
    const { status, body } = await services.send(formOf(text))
    expect({ status, body }).toEqual(unusable)
  })

  it('if it was used, by the same client or another', async () => {
    const { sub } = await employee()
    const given = await assertion(sub)
    expect((await services.send(formOf(given))).status).toBe(200)
    const again = await services.send(formOf(given))
    expect({ status: again.status, body: again.body }).toEqual(unusable)
    const stolen = await services.send(formOf(given, host.at('other')))
    expect({ status: stolen.status, body: stolen.body }).toEqual(unusable)
    // The same id, in another assertion.
    const { jti } = decodeJwt(given)
    expect((await redeem(sub, { claims: { jti } })).body).toEqual(unusable.body)
  })

  it('and one that was of no use has not taken the id of another', async () => {
    const { sub } = await employee()
    const jti = randomUUID()
    await redeem(sub, { claims: { jti, aud: 'https://other.example.com' } })
    await redeem(randomUUID(), { claims: { jti } })
    await redeem(sub, { claims: { jti }, forgery: { key: 'foreign' } })
    expect((await redeem(sub, { claims: { jti } })).status).toBe(200)
  })

  it('if another client sends it, which was to be its own', async () => {
    const { sub } = await employee()
    const stolen = await services.send(formOf(await assertion(sub), host.at('other')))
    expect({ status: stolen.status, body: stolen.body }).toEqual(unusable)
  })

  it('if it is from another identity provider than the one that speaks for the client', async () => {
    const { sub, userId } = await employee()
    const at = host.at('partner')
    expect((await redeem(sub, {}, at)).body).toEqual(unusable.body)
    const claims = { iss: otherIssuer }
    // The subject of one issuer is not that of another.
    expect((await redeem(sub, { claims }, at)).body).toEqual(unusable.body)
    await linksOf(auth).put(userId, partner, sub)
    expect((await redeem(sub, { claims }, at)).status).toBe(200)
  })

  it('if its user is known by an address only', async () => {
    const user = await auth.signedInUser()
    const claims = { email: user.email, email_verified: true }
    expect((await redeem(randomUUID(), { claims })).body).toEqual(unusable.body)
  })

  it('holds while clocks differ by half a minute', async () => {
    const { sub } = await employee()
    const late = { iat: seconds() - 329, exp: seconds() - 29 }
    const early = { iat: seconds() + 29, exp: seconds() + 329 }
    for (const claims of [late, early]) expect((await redeem(sub, { claims })).status).toBe(200)
  })

  it('that is bound to a key takes the proof of that key (draft, section 9.8.1)', async () => {
    const { sub } = await employee()
    const url = `${auth.url}/_auth/oauth2/token`
    const shown = async (bound?: string) => {
      const key = await createTestKey()
      const nowMillis = auth.clock.now().getTime()
      const dpop = await dpopProof(key, { method: 'POST', url, nowMillis })
      const { jwk } = decodeProtectedHeader(dpop)
      const jkt = bound ?? (await calculateJwkThumbprint(jwk ?? expect.unreachable()))
      const cnf = { jkt }
      return redeem(sub, { headers: { dpop }, claims: { cnf } })
    }
    expect((await shown('y'.repeat(43))).body).toEqual(unusable.body)
    expect((await shown()).body.token_type).toBe('DPoP')
  })
})

describe('a client is refused', () => {
  it('that no identity provider may give access to, however it authenticates', async () => {
    const { sub } = await employee()
    const unlisted = host.at('unlisted')
    expect(await redeem(sub, {}, unlisted)).toMatchObject(refused('unauthorized_client'))
  })

  it('that shows nothing but its id, even if its document permits that', async () => {
    const { sub } = await employee()
    const open = host.at('open')
    const unsigned = { client_assertion: undefined, client_assertion_type: undefined }
    const form = { ...unsigned, client_id: open }
    expect(await redeem(sub, { form }, open)).toMatchObject(refused('invalid_client', 401))
    expect((await redeem(sub, {}, open)).status).toBe(200)
  })

  it('that sends no assertion', async () => {
    const form = { assertion: undefined }
    expect(await redeem('x', { form })).toMatchObject(refused('invalid_request'))
  })

  it('that shows who it is with an assertion of an identity provider', async () => {
    const { sub } = await employee()
    const shown = async (typ: string) => {
      const own = { iss: assistant, sub: assistant, aud: issuer, jti: randomUUID() }
      const client_assertion = await new SignJWT({ ...own, exp: seconds() + 60 })
        .setProtectedHeader({ alg: 'ES256', typ })
        .sign(serviceKey)
      return services.send({ ...formOf(await assertion(sub)), client_assertion })
    }
    expect((await shown('JWT')).status).toBe(200)
    for (const typ of ['oauth-id-jag+jwt', 'application/OAUTH-ID-JAG+jwt']) {
      expect(await shown(typ)).toMatchObject(refused('invalid_client', 401))
    }
    const ofUser = { ...formOf(await assertion(sub)), client_assertion: await assertion(sub) }
    expect(await services.send(ofUser)).toMatchObject(refused('invalid_client', 401))
  })

  it('with no response of its own while the keys of the identity provider are away', async () => {
    const away = await openCompany(() => auth.clock.now())
    const server = await startTestAuth(away.options)
    server.clock.set(auth.clock.now())
    away.idp.misbehave('down')
    const { body } = await testEmployees(server, away).redeem('x')
    await server.stop()
    await away.idp.stop()
    away.host.close()
    expect(body).toEqual({
      error: 'temporarily_unavailable',
      error_description:
        'The keys of the identity provider cannot be read at the moment. Try again later.',
    })
  })

  it('where no identity provider is trusted: the grant type is unknown, and no metadata names it', async () => {
    const { authorizationServer } = host.options.options
    const off = await startTestAuth({ options: { authorizationServer } })
    const without = await testServices(off).send(formOf('x'))
    const metadataOf = async (url: string) =>
      (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()
    const [without_, with_] = [await metadataOf(off.url), await metadataOf(auth.url)]
    await off.stop()
    expect(without).toMatchObject(refused('unsupported_grant_type'))
    const type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    expect(without_.grant_types_supported).not.toContain(type)
    expect(without_).not.toHaveProperty('authorization_grant_profiles_supported')
    expect(with_.grant_types_supported).toContain(type)
    expect(with_.authorization_grant_profiles_supported).toEqual([
      'urn:ietf:params:oauth:grant-profile:id-jag',
    ])
    expect(JSON.stringify(with_)).not.toContain(idp.issuer)
  })
})

describe('a configuration that can not work', () => {
  const { authorizationServer } = host.options.options
  const good = company.provider
  it.each([
    ['is no issuer', { 'idp.example.com': good }],
    ['is no issuer', { 'http://idp.example.com': good }],
    ['is no issuer', { 'https://idp.example.com/?a': good }],
    ['is this server', { 'https://this.example.com': good }],
    ['has neither a jwksUri', { [idp.issuer]: { ...good, keys: { jwks: { keys: [] } } } }],
    ['has neither a jwksUri', { [idp.issuer]: { ...good, keys: { jwksUri: 'http://a.b/c' } } }],
    ['has no clients', { [idp.issuer]: { ...good, clients: [] } }],
    ['has the client "x"', { [idp.issuer]: { ...good, clients: ['x'] } }],
    ['has resources, and names none', { [idp.issuer]: { ...good, resources: [] } }],
    ['names "/none"', { [idp.issuer]: { ...good, resources: ['/none'] } }],
    ['has scopes, and names none', { [idp.issuer]: { ...good, scopes: [] } }],
    ['names the scope "no"', { [idp.issuer]: { ...good, scopes: ['no'] } }],
  ])('does not start: it %s', (problem, identityProviders) => {
    const lifecycle = createAuthLifecycle({
      authorizationServer: { ...authorizationServer, identityProviders },
    })
    const env = { DATABASE_URL: 'postgres://127.0.0.1/x', SVC_APP_URL: 'https://this.example.com' }
    expect(() => lifecycle.validateEnvironment?.(env)).toThrow(problem)
  })

  it.each(['acme', 'google', 'github', 'other'])(
    'does not start: it speaks for the accounts of another issuer, or of none: %s',
    async (accounts) => {
      const identityProviders = { [idp.issuer]: { ...good, accounts } }
      const options = {
        providers: [createOidcProvider({ id: 'other', issuer: otherIssuer, clientId: 'x' })],
        authorizationServer: { ...authorizationServer, identityProviders },
      }
      await expect(startTestAuth({ options })).rejects.toThrow(`has the accounts of "${accounts}"`)
    },
  )

  it('starts with the accounts of a provider of the application, as in the guide', async () => {
    const acme = createOidcProvider({ id: 'acme', issuer: idp.issuer, clientId: 'x' })
    const identityProviders = { [idp.issuer]: { ...good, accounts: acme.id } }
    const options = {
      providers: [acme],
      authorizationServer: { ...authorizationServer, identityProviders },
    }
    const server = await startTestAuth({ ...company.options, options })
    server.clock.set(auth.clock.now())
    const employees = testEmployees(server, company)
    const user = await server.signedInUser()
    await linksOf(server).put(user.userId, acme, 'jane')
    const { status } = await employees.redeem('jane')
    // A user of another provider with the same subject.
    const other = await server.signedInUser()
    await linksOf(server).put(other.userId, { id: 'google' }, 'john')
    const { body } = await employees.redeem('john')
    await server.stop()
    expect([status, body.error]).toEqual([200, 'invalid_grant'])
  })
})
