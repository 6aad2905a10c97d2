import type { KeyObject } from 'node:crypto'
import { defineRouter, route } from '@svc/core'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserId } from '../caller/caller.ts'
import { startTestAuth } from '../testing.ts'
import { accessTokenAuth, verifyAccessToken } from './oauth2.ts'
import { issuer, redirectUri, testAgents } from './testing/test-agent.ts'
import { mail, openServiceHost, serviceKey } from './testing/test-exchange.ts'
import { files, filesKey } from './testing/test-resource-server.ts'

// Clients that others wrote: each goes from discovery to a token that opens a route, and to its
// end.

const router = defineRouter({
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler((c) => ({ userId: getUserId(c) })),
})
const host = await openServiceHost()
const auth = await startTestAuth({ ...host.options, router })
afterAll(async () => {
  host.close()
  await auth.stop()
})
const user = await auth.signedInUser()
const resource = new URL(`${auth.url}/mcp`)
const clockSkew = Math.round((auth.clock.now().getTime() - Date.now()) / 1000)

/** Takes what is for the issuer to the API, as the host of the web app does. A port may begin with another. */
const viaWebHost = (url: string, init: object) =>
  fetch(url.replace(`${issuer}/`, `${auth.url}/`), init)

/** What the user's browser does: it goes to the consent page, agrees, and comes back with the answer. */
async function consent({ href }: URL, decision = 'allow') {
  const shown = await viaWebHost(href, { redirect: 'manual' })
  const fields = Object.fromEntries(new URL(shown.headers.get('location') ?? '').searchParams)
  const given = { ...fields, decision }
  const { body } = await auth.call('createOAuth2AuthorizationCode', given, user.key)
  return new URL(body.redirectTo)
}

const clientMetadata = (token_endpoint_auth_method: string) => ({
  client_name: 'A client of somebody else',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method,
})

describe('openid-client', () => {
  const options = {
    algorithm: 'oauth2' as const,
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: viaWebHost,
  }
  const register = (method: string, clientAuth: openid.ClientAuth) => {
    const metadata = { ...clientMetadata(method), [openid.clockSkew]: clockSkew }
    return openid.dynamicClientRegistration(new URL(issuer), metadata, clientAuth, options)
  }

  async function ask(config: openid.Configuration) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      resource: resource.href,
    })
    return { address, checks: { pkceCodeVerifier, expectedState } }
  }

  async function goRound(config: openid.Configuration, bound: openid.DPoPOptions = {}) {
    const { address, checks } = await ask(config)
    const target = { resource: resource.href }
    const answer = await consent(address)
    const first = await openid.authorizationCodeGrant(config, answer, checks, target, bound)
    const refresh = (token = '') => openid.refreshTokenGrant(config, token, target, bound)
    const open = (token: string) =>
      openid.fetchProtectedResource(config, token, resource, 'GET', null, undefined, bound)
    expect(await (await open(first.access_token)).json()).toEqual({ userId: user.userId })
    const next = await refresh(first.refresh_token)
    expect((await open(next.access_token)).status).toBe(200)
    await openid.tokenRevocation(config, next.refresh_token ?? '')
    await expect(open(next.access_token)).rejects.toMatchObject({ status: 401 })
    await expect(refresh(next.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    return first
  }

  it.each([
    ['none', openid.None()],
    ['client_secret_basic', openid.ClientSecretBasic()],
    ['client_secret_post', openid.ClientSecretPost()],
  ])(
    'completes code, refresh and revocation as a client of %s (A-269, A-270)',
    async (method, clientAuth) => {
      const config = await register(method, clientAuth)
      expect(await goRound(config)).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    },
  )

  it('completes them with tokens that are bound to a key of its own', async () => {
    const config = await register('none', openid.None())
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    expect(await goRound(config, { DPoP })).toMatchObject({ token_type: 'dpop' })
  })

  it('finds the server for a client that is known already', async () => {
    const { client_id, client_secret } = (
      await register('client_secret_basic', openid.ClientSecretBasic())
    ).clientMetadata()
    const config = await openid.discovery(
      new URL(issuer),
      client_id,
      client_secret,
      openid.ClientSecretBasic(client_secret),
      options,
    )
    await goRound(config)
  })

  it('takes no answer of another server, nor one that does not say whose it is', async () => {
    const config = await register('none', openid.None())
    for (const iss of ['https://other.example.com', null]) {
      const { address, checks } = await ask(config)
      const answer = await consent(address)
      if (iss) answer.searchParams.set('iss', iss)
      else answer.searchParams.delete('iss')
      const refused = openid.authorizationCodeGrant(config, answer, checks)
      await expect(refused).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' })
    }
  })

  it('is told who has denied it', async () => {
    const config = await register('none', openid.None())
    const { address, checks } = await ask(config)
    const answer = await consent(address, 'deny')
    expect(answer.searchParams.get('iss')).toBe(issuer)
    const refused = openid.authorizationCodeGrant(config, answer, checks)
    await expect(refused).rejects.toMatchObject({ error: 'access_denied' })
  })
})

describe('oauth4webapi', () => {
  const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: viaWebHost }

  /** From the resource to the server that gives tokens for it (RFC 9728). */
  async function discover() {
    const described = await oauth.resourceDiscoveryRequest(resource, options)
    const found = await oauth.processResourceDiscoveryResponse(resource, described)
    const server = new URL(found.authorization_servers?.[0] ?? '')
    const answer = await oauth.discoveryRequest(server, { ...options, algorithm: 'oauth2' })
    return oauth.processDiscoveryResponse(server, answer)
  }

  async function register(as: oauth.AuthorizationServer) {
    const metadata = { ...clientMetadata('none'), dpop_bound_access_tokens: true }
    const answer = await oauth.dynamicClientRegistrationRequest(as, metadata, options)
    const client = await oauth.processDynamicClientRegistrationResponse(answer)
    return { ...client, [oauth.clockSkew]: clockSkew }
  }

  function signingKey(key: KeyObject) {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    return crypto.subtle.importKey('jwk', key.export({ format: 'jwk' }), curve, false, ['sign'])
  }

  it('goes from the resource to bound tokens, their refresh and their end (A-269, A-270)', async () => {
    const as = await discover()
    const client = await register(as)
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    const bound = { ...options, DPoP }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource: resource.href,
    }).toString()
    const parameters = oauth.validateAuthResponse(as, client, await consent(address), state)

    const none = oauth.None()
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      none,
      parameters,
      redirectUri,
      verifier,
      bound,
    )
    const first = await oauth.processAuthorizationCodeResponse(as, client, answer)
    expect(first).toMatchObject({ token_type: 'dpop', scope: 'board' })
    const open = (token: string, how: object = bound) =>
      oauth.protectedResourceRequest(token, 'GET', resource, undefined, null, how)
    expect(await (await open(first.access_token)).json()).toEqual({ userId: user.userId })
    // Without the key, an attacker who has stolen it can't use it.
    await expect(open(first.access_token, options)).rejects.toMatchObject({ status: 401 })

    const token = first.refresh_token ?? ''
    const refreshed = await oauth.refreshTokenGrantRequest(as, client, none, token, bound)
    const next = await oauth.processRefreshTokenResponse(as, client, refreshed)
    expect((await open(next.access_token)).status).toBe(200)

    const revoked = await oauth.revocationRequest(as, client, none, next.access_token, options)
    await oauth.processRevocationResponse(revoked)
    await expect(open(next.access_token)).rejects.toMatchObject({ status: 401 })
  })

  it('asks about a token as the server of its resource (RFC 7662)', async () => {
    const as = await discover()
    const key = await signingKey(filesKey)
    const server = { client_id: files, [oauth.clockSkew]: clockSkew }
    const ask = async (token: string) => {
      const signing = oauth.PrivateKeyJwt(key)
      const answer = await oauth.introspectionRequest(as, server, signing, token, options)
      return oauth.processIntrospectionResponse(as, server, answer)
    }
    const agents = testAgents(auth)
    const token = await agents.tokens(user, await agents.register(), { resource: files })
    expect(await ask(token.access_token)).toMatchObject({ active: true, sub: user.userId })
    expect(await ask(token.refresh_token)).toEqual({ active: false })
  })

  it('exchanges a token for a service, with a client of its own key', async () => {
    const as = await discover()
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
    expect(as.grant_types_supported).toContain(exchange)
    const key = await signingKey(serviceKey)
    const client = { client_id: host.at('files'), [oauth.clockSkew]: clockSkew }
    const agents = testAgents(auth)
    const { access_token: subject_token } = await agents.tokens(user, await agents.register(), {
      resource: files,
    })
    const signing = oauth.PrivateKeyJwt(key)
    const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'
    const parameters = { subject_token, subject_token_type, resource: mail }
    const send = (given: Record<string, string>) =>
      oauth.genericTokenEndpointRequest(as, client, signing, exchange, given, options)
    const answer = await send(parameters)
    const given = await oauth.processGenericTokenEndpointResponse(as, client, answer)
    expect(given).toMatchObject({ token_type: 'bearer', issued_token_type: subject_token_type })
    expect(await verifyAccessToken(given.access_token, mail)).toMatchObject({
      userId: user.userId,
      clientId: client.client_id,
    })
    const wrong = await send({ ...parameters, subject_token: given.access_token })
    await expect(
      oauth.processGenericTokenEndpointResponse(as, client, wrong),
    ).rejects.toMatchObject({ error: 'invalid_request' })
  })
})
