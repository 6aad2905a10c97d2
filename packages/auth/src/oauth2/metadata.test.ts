import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth } from '../testing.ts'
import { oauth2Contract } from './contract.ts'
import { deviceGrantType } from './device-grant/testing/test-terminal.ts'
import { agentOptions, issuer, pkce, redirectUri, testAgents } from './testing/test-agent.ts'

const auth = await startTestAuth(agentOptions)
const without = await startTestAuth()
const {
  resourceServers: _,
  deviceGrant: _off,
  ...asksNothing
} = agentOptions.options.authorizationServer
const alone = await startTestAuth({ options: { authorizationServer: asksNothing } })
afterAll(() => Promise.all([auth, without, alone].map((each) => each.stop())))
const agents = testAgents(auth)

const at = (path: string, server = auth) => server.fetch(`/.well-known/${path}`)
const read = async (path: string, server = auth) => (await at(path, server)).json()

const ofServer = 'oauth-authorization-server'
const ofResource = 'oauth-protected-resource'
const names = Object.keys(agentOptions.options.authorizationServer.scopes)
const algorithms = ['ES256', 'RS256']
const ofAssertions = ['ES256', 'RS256', 'PS256', 'EdDSA']

describe('the metadata of the authorization server', () => {
  it('has the members of RFC 8414 that hold here, and no other (A-268)', async () => {
    const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']
    expect(await read(ofServer)).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/_auth/oauth2/authorize`,
      token_endpoint: `${issuer}/_auth/oauth2/token`,
      device_authorization_endpoint: `${issuer}/_auth/oauth2/device_authorization`,
      revocation_endpoint: `${issuer}/_auth/oauth2/revoke`,
      registration_endpoint: `${issuer}/_auth/oauth2/register`,
      scopes_supported: names,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
      token_endpoint_auth_methods_supported: authMethods,
      token_endpoint_auth_signing_alg_values_supported: ofAssertions,
      revocation_endpoint_auth_methods_supported: authMethods,
      revocation_endpoint_auth_signing_alg_values_supported: ofAssertions,
      introspection_endpoint: `${issuer}/_auth/oauth2/introspect`,
      introspection_endpoint_auth_methods_supported: ['private_key_jwt'],
      introspection_endpoint_auth_signing_alg_values_supported: ofAssertions,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      dpop_signing_alg_values_supported: algorithms,
    })
  })

  it('names endpoints that are there (A-269)', async () => {
    const metadata = await read(ofServer)
    const endpoints = Object.entries<string>(metadata).filter(([name]) =>
      name.endsWith('_endpoint'),
    )
    const answers = endpoints.map(async ([name, url]) => {
      const method = name === 'authorization_endpoint' ? 'GET' : 'POST'
      const { status } = await fetch(url.replace(`${issuer}/`, `${auth.url}/`), { method })
      return [name, status]
    })
    expect(Object.fromEntries(await Promise.all(answers))).toEqual({
      authorization_endpoint: 400,
      token_endpoint: 400,
      device_authorization_endpoint: 400,
      revocation_endpoint: 400,
      introspection_endpoint: 400,
      registration_endpoint: 400,
    })
  })

  it('offers no signature that is none, and no tokens that another server could check', async () => {
    const documents = [await read(ofServer), await read(ofResource)]
    for (const [name, value] of documents.flatMap((each) => Object.entries(each))) {
      expect(name).not.toMatch(/^id_token|^jwks/)
      const expected = name.includes('endpoint_auth') ? ofAssertions : algorithms
      if (name.endsWith('alg_values_supported')) expect(value).toEqual(expected)
    }
  })

  it('says where to ask about tokens only if the server of a resource may ask', async () => {
    const documents = [await read(ofServer, alone), await read(ofResource, alone)]
    const members = documents.flatMap((each) => Object.keys(each))
    expect(members.filter((name) => /introspection/.test(name))).toEqual([])
    expect(members).toContain('revocation_endpoint')
  })

  it('says where to ask for a device code only if the grant is on (RFC 8628, section 4)', async () => {
    const metadata = await read(ofServer, alone)
    expect(metadata).not.toHaveProperty('device_authorization_endpoint')
    expect(metadata.grant_types_supported).toEqual(['authorization_code', 'refresh_token'])
  })

  it('is at the root alone, as the issuer has no path', async () => {
    expect((await at(ofServer)).headers.get('content-type')).toBe('application/json')
    for (const path of [`${ofServer}/mcp`, `${ofServer}/_auth`, 'openid-configuration']) {
      expect((await at(path)).status).toBe(404)
    }
  })
})

describe('the metadata of a resource', () => {
  const described = (resource: string) => ({
    resource: `${auth.url}${resource}`,
    authorization_servers: [issuer],
    scopes_supported: names,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: algorithms,
  })

  it('has the members of RFC 9728, between the host and the path of each (A-268)', async () => {
    expect(await read(`${ofResource}/mcp`)).toEqual(described('/mcp'))
    expect(await read(`${ofResource}/other`)).toEqual(described('/other'))
    expect(await read(ofResource)).toEqual(described('/mcp'))
  })

  it('is there for no other path', async () => {
    for (const path of ['mc', 'mcp/', 'mcp/more', 'MCP', '_auth/oauth2/token', 'a/b/c/d/e']) {
      expect((await at(`${ofResource}/${path}`)).status).toBe(404)
    }
  })
})

describe('an answer to a client', () => {
  it('says who gives it, be it a code, a denial or what is wrong (A-270)', async () => {
    const user = await auth.signedInUser()
    const agent = await agents.register()
    const asked = agents.asked(agent, pkce().challenge)
    const decided = await Promise.all(
      ['allow', 'deny'].map(async (decision) => (await agents.decide(user, asked, decision)).body),
    )
    const wrong = { ...asked, response_type: 'token' }
    const query = new URLSearchParams(wrong).toString()
    const passedOn = await auth.fetch(`/_auth/oauth2/authorize?${query}`, { redirect: 'manual' })
    const addresses = [
      ...decided.map(({ redirectTo }) => redirectTo),
      passedOn.headers.get('location'),
    ]
    const answers = addresses.map((address) => new URL(address ?? ''))
    expect(answers.map(({ origin, pathname }) => `${origin}${pathname}`)).toEqual(
      addresses.map(() => redirectUri),
    )
    expect(answers.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { code: expect.stringMatching(/^[\w-]{43}$/), state: 'a state', iss: issuer },
      expect.objectContaining({ error: 'access_denied', state: 'a state', iss: issuer }),
      expect.objectContaining({
        error: 'unsupported_response_type',
        state: 'a state',
        iss: issuer,
      }),
    ])
  })
})

describe('without an authorization server', async () => {
  const { key } = await without.signedInUser()
  const operations = Object.values(oauth2Contract.operations)
  const routes = [
    ...operations.map(({ operation: { method, path } }) => [method, path.replace(/:\w+/, 'any')]),
    ...['', '/mcp', '/a/b'].map((path) => ['GET', `/.well-known/${ofResource}${path}`]),
    ['GET', `/.well-known/${ofServer}`],
  ] as [string, string][]

  it.each(routes)(
    '%s %s is not there, for signed requests either (A-268)',
    async (method, path) => {
      const url = `${without.url}${path}`
      const signed = await without.signerOf(key)({ method, url, body: '' })
      const nothing = await answerTo(method, `${without.url}/nothing`)
      for (const headers of [{}, { ...signed }]) {
        expect(await answerTo(method, url, headers)).toEqual(nothing)
      }
      expect(nothing.status).toBe(404)
    },
  )

  async function answerTo(method: string, url: string, headers: Record<string, string> = {}) {
    const answer = await fetch(url, { method, headers })
    const { error } = await answer.json()
    return { status: answer.status, error: { ...error, requestId: undefined } }
  }
})
