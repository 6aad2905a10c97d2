import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthLifecycle } from '../../lifecycle.ts'
import { startTestAuth } from '../../testing.ts'
import { agentOptions, issuer, testAgents } from '../testing/test-agent.ts'
import { openidEnv, openidKeys } from '../testing/test-openid.ts'
import { files } from '../testing/test-resource-server.ts'

const { authorizationServer } = agentOptions.options

const optionsFor = (jwtAccessTokens: object) => ({
  authorizationServer: { ...authorizationServer, jwtAccessTokens: jwtAccessTokens as never },
})

describe('a server with jwtAccessTokens does not start', () => {
  const start = (jwtAccessTokens: object, env: Record<string, string> = openidEnv) => {
    const lifecycle = createAuthLifecycle(optionsFor(jwtAccessTokens))
    const SVC_AUTH_VERIFICATION_TOKEN_SECRET = 'a secret of the tests, long enough for any check'
    return () => lifecycle.validateEnvironment?.({ SVC_AUTH_VERIFICATION_TOKEN_SECRET, ...env })
  }
  const only = (key: object | undefined) => ({ SVC_AUTH_OPENID_KEYS: JSON.stringify([key]) })

  it.each<[string, object, string]>([
    ['a path of this API', { '/mcp': {} }, 'has "/mcp", which is no address in resources'],
    ['another address', { 'https://a.example/': {} }, 'which is no address in resources'],
    ['an address in another form', { 'https://files.example.com': {} }, 'which is no address in'],
    [
      'a life under a minute',
      { [files]: { lifetimeSeconds: 59 } },
      'whole seconds from 60 to 3600',
    ],
    ['a life over an hour', { [files]: { lifetimeSeconds: 3601 } }, 'whole seconds from 60 to'],
    ['half a second', { [files]: { lifetimeSeconds: 60.5 } }, 'whole seconds from 60 to 3600'],
    ['a life in words', { [files]: { lifetimeSeconds: '300' } }, 'whole seconds from 60 to 3600'],
  ])('with %s', (_, given, problem) => {
    expect(start(given)).toThrow(problem)
  })

  it('without a key, or without one of the algorithm', () => {
    expect(start({ [files]: {} }, {})).toThrow('SVC_AUTH_OPENID_KEYS must be set')
    const [ec, , rsa] = openidKeys
    const asks = { [files]: { algorithm: 'RS256' } }
    expect(start(asks, only(ec))).toThrow('has the algorithm RS256, and no key')
    expect(start(asks, only(rsa))).not.toThrow()
    expect(start({ [files]: {} }, only(rsa))).not.toThrow()
  })
})

describe('a server with jwtAccessTokens alone', async () => {
  const rotated = openidKeys.slice(1, 2)
  const before = await startTestAuth({
    options: {
      authorizationServer: {
        ...optionsFor({ [files]: { lifetimeSeconds: 600 } }).authorizationServer,
        resources: [files, '/mcp'],
      },
    },
    env: { SVC_AUTH_OPENID_KEYS: JSON.stringify(rotated) },
  })
  const auth = await startTestAuth({ options: optionsFor({ [files]: {} }), env: openidEnv })
  const without = await startTestAuth(agentOptions)
  afterAll(() => Promise.all([before, auth, without].map((each) => each.stop())))
  const read = async (path: string, at = auth) => (await at.fetch(path)).json()
  const ofServer = '/.well-known/oauth-authorization-server'

  it('says where its keys are (RFC 8414), and publishes no private part', async () => {
    const { jwks_uri } = await read(ofServer)
    expect(jwks_uri).toBe(`${issuer}/_auth/oauth2/jwks`)
    const { keys } = await read(new URL(jwks_uri).pathname)
    expect(keys.map((key: { kid: string }) => key.kid)).toEqual(['new', 'old', 'rsa'])
    expect(JSON.stringify(keys)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/)
  })

  it('is no provider of OpenID Connect', async () => {
    for (const path of ['/.well-known/openid-configuration', '/_auth/oauth2/userinfo']) {
      expect((await auth.fetch(path)).status).toBe(404)
    }
  })

  it('is the only one with keys: without the option and openid, there are none', async () => {
    expect(await read(ofServer, without)).not.toHaveProperty('jwks_uri')
    expect((await without.fetch('/_auth/oauth2/jwks')).status).toBe(404)
  })

  it('accepts the change of a key: a token of the one before holds while that is published', async () => {
    const agents = testAgents(before)
    const [agent, user] = [await agents.register(), await before.signedInUser()]
    const { access_token } = await agents.tokens(user, agent, { resource: files })
    const keys = createLocalJWKSet(await read('/_auth/oauth2/jwks'))
    const expected = { typ: 'at+jwt', issuer, audience: files, currentDate: before.clock.now() }
    const { protectedHeader, payload } = await jwtVerify(access_token, keys, expected)
    expect([protectedHeader.kid, payload.sub]).toEqual(['old', user.userId])
  })

  it('issues one for the first resource to a client that names none', async () => {
    const agents = testAgents(before)
    const [agent, user] = [await agents.register(), await before.signedInUser()]
    const { access_token } = await agents.tokens(user, agent)
    expect(decodeJwt(access_token).aud).toBe(files)
  })

  it('says in its log what is given up, for each resource', () => {
    const told = ({ logged }: typeof auth) =>
      logged.filter(({ msg }) => String(msg).startsWith('jwtAccessTokens: '))
    const [line, ...more] = told(before)
    expect(line).toMatchObject({ resource: files, lifetimeSeconds: 600 })
    expect(line?.['msg']).toMatch(/revoked here, .* works there until it expires/)
    expect(more).toEqual([])
    expect(told(without)).toEqual([])
  })
})
