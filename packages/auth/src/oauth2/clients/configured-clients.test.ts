import { afterAll, describe, expect, it } from 'vitest'
import { hashToken } from '../../crypto/crypto.ts'
import { startTestAuth } from '../../testing.ts'
import type { OpenIdClient } from '../authorization-server.ts'
import { agentOptions } from '../testing/test-agent.ts'
import { openidEnv, openidOptions, redirectUri } from '../testing/test-openid.ts'

const client = { name: 'Intranet', redirectUris: [redirectUri] }

const start = (
  clients: Record<string, OpenIdClient>,
  env: Record<string, string> = openidEnv,
  scopes: Record<string, string> = {},
) => {
  const { authorizationServer } = agentOptions.options
  const server = { ...authorizationServer, scopes: { ...authorizationServer.scopes, ...scopes } }
  return startTestAuth({
    env,
    options: { authorizationServer: { ...server, openid: { clients } } },
  })
}

describe('a client of the configuration', () => {
  it.each([
    ['an id of another form', { 'https://intranet.example.com': client }],
    ['the id of a registered client', { ['x'.repeat(43)]: client }],
    ['no name', { intranet: { ...client, name: ' ' } }],
    ['no redirect URI', { intranet: { ...client, redirectUris: [] } }],
    ['a redirect URI without TLS', { intranet: { ...client, redirectUris: ['http://intranet/'] } }],
    ['its secret instead of the hash', { intranet: { ...client, secretHash: 'a secret' } }],
    ['the hash of an empty secret', { intranet: { ...client, secretHash: hashToken('') } }],
    [
      'a secret and keys',
      {
        intranet: {
          ...client,
          secretHash: 'a'.repeat(64),
          keys: { jwksUri: 'https://intranet.example.com/keys' },
        },
      },
    ],
    ['keys that are none', { intranet: { ...client, keys: { jwks: { keys: [] } } } }],
    [
      'a logout address without TLS',
      { intranet: { ...client, backchannelLogoutUri: 'http://intranet.example.com/logout' } },
    ],
    [
      'a page after the logout without TLS',
      { intranet: { ...client, postLogoutRedirectUris: ['http://intranet.example.com/out'] } },
    ],
    ['no page after the logout', { intranet: { ...client, postLogoutRedirectUris: [] } }],
    [
      'keys at an address without TLS',
      { intranet: { ...client, keys: { jwksUri: 'http://intranet.example.com/keys' } } },
    ],
  ])('is refused at the start with %s', async (_, clients) => {
    await expect(start(clients)).rejects.toThrow('authorizationServer.openid.clients[')
  })

  it('is refused at the start if no key has the algorithm of its id tokens', async () => {
    const [first] = JSON.parse(openidEnv.SVC_AUTH_OPENID_KEYS)
    const env = { SVC_AUTH_OPENID_KEYS: JSON.stringify([first]) }
    const clients = { intranet: { ...client, idTokenAlgorithm: 'RS256' as const } }
    await expect(start(clients, env)).rejects.toThrow('has the idTokenAlgorithm RS256')
  })

  it('needs keys, and a server whose own scopes leave openid alone', async () => {
    await expect(start({ intranet: client }, {})).rejects.toThrow(
      'SVC_AUTH_OPENID_KEYS must be set',
    )
    const own = { openid: 'Something else' }
    await expect(start({ intranet: client }, openidEnv, own)).rejects.toThrow('the scope "openid"')
  })
})

describe('a server without openid', async () => {
  const without = await startTestAuth(agentOptions)
  const auth = await startTestAuth(openidOptions)
  afterAll(() => Promise.all([without.stop(), auth.stop()]))

  it.each([
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/_auth/oauth2/jwks'],
    ['GET', '/_auth/oauth2/userinfo'],
    ['POST', '/_auth/oauth2/userinfo'],
    ['GET', '/_auth/oauth2/logout'],
    ['POST', '/_auth/oauth2/logout'],
    ['GET', '/_auth/oauth2/logout/request'],
  ])('has no %s %s, as if nothing was there', async (method, path) => {
    const answered = async (url: string) => {
      const { status, headers } = await fetch(url, { method, redirect: 'manual' })
      return { status, challenge: headers.get('www-authenticate') }
    }
    const nothing = await answered(`${without.url}/nothing`)
    expect(await answered(`${without.url}${path}`)).toEqual(nothing)
    expect(nothing.status).toBe(404)
    expect((await answered(`${auth.url}${path}`)).status).not.toBe(404)
  })

  it('knows none of its clients', async () => {
    const query = { client_id: 'intranet', redirect_uri: redirectUri, response_type: 'code' }
    const answer = await without.server.fetch(
      `/_auth/oauth2/authorize?${new URLSearchParams(query)}`,
    )
    expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request'])
  })
})
