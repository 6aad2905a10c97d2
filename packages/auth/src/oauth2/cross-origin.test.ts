import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth, type TestAuth } from '../testing.ts'
import { readAuthorizationServer } from './authorization-server.ts'
import { issuer, testAgents } from './testing/test-agent.ts'
import { agentApp } from './testing/test-agent-app.ts'
import { openidOptions } from './testing/test-openid.ts'

const inspector = 'https://inspector.example.com'
const stranger = 'https://evil.example.com'
const { router } = agentApp
const withOrigins = (origins?: 'any' | string[]) => {
  const { authorizationServer } = openidOptions.options
  const server = { ...authorizationServer, ...(origins && { origins }) }
  return startTestAuth({
    router,
    env: openidOptions.env,
    options: { authorizationServer: server },
  })
}
const listed = await withOrigins([inspector])
const open = await withOrigins('any')
const closed = await withOrigins()
afterAll(() => Promise.all([listed, open, closed].map((auth) => auth.stop())))

const ofAgents: [string, string][] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['POST', '/_auth/oauth2/register'],
  ['POST', '/_auth/oauth2/token'],
  ['POST', '/_auth/oauth2/revoke'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/_auth/oauth2/jwks'],
  ['GET', '/_auth/oauth2/userinfo'],
  ['GET', '/mcp'],
  ['GET', '/mcp/users'],
]
const ofOthers: [string, string][] = [
  ['GET', '/own'],
  ['POST', '/_auth/login'],
  ['GET', '/_auth/oauth2/grants'],
  ['GET', '/_auth/oauth2/authorize'],
  ['GET', '/mcpx'],
  ['GET', '/mcp%2fusers'],
]

const asked = 'authorization, content-type, dpop, mcp-protocol-version'

async function ask(auth: TestAuth, [method, path]: [string, string], origin: string) {
  const preflight = await auth.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked,
    },
  })
  const answer = await auth.fetch(path, { method, headers: { origin } })
  const headersOf = ({ headers }: Response) => ({
    origin: headers.get('access-control-allow-origin'),
    exposed: headers.get('access-control-expose-headers'),
    credentials: headers.get('access-control-allow-credentials'),
  })
  return {
    status: preflight.status,
    allowed: preflight.headers.get('access-control-allow-headers'),
    preflight: headersOf(preflight),
    answer: headersOf(answer),
    vary: answer.headers.get('vary') ?? '',
  }
}

const none = { origin: null, exposed: null, credentials: null }

describe('a page that is an agent', () => {
  it.each(ofAgents)(
    'may call %s %s from a listed origin, without credentials',
    async (...route) => {
      const { status, allowed, preflight, answer, vary } = await ask(listed, route, inspector)
      expect({ status, allowed }).toEqual({ status: 204, allowed: asked })
      expect(answer).toEqual({ origin: inspector, exposed: expect.any(String), credentials: null })
      for (const name of ['www-authenticate', 'dpop-nonce', 'mcp-session-id']) {
        expect(answer.exposed).toContain(name)
      }
      expect(preflight).toEqual(answer)
      expect(vary).toContain('Origin')
    },
  )

  it.each(ofAgents)('may call %s %s from any, where any may', async (...route) => {
    const { status, answer } = await ask(open, route, stranger)
    expect(status).toBe(204)
    expect(answer).toMatchObject({ origin: '*', credentials: null })
  })

  it.each(ofAgents)(
    'may not call %s %s from another, or where none is listed',
    async (...route) => {
      for (const auth of [listed, closed]) {
        const { preflight, answer } = await ask(auth, route, stranger)
        expect([preflight, answer]).toEqual([none, none])
      }
    },
  )

  it.each(ofOthers)('may not call %s %s, even if its origin is listed', async (...route) => {
    for (const [auth, origin] of [
      [listed, inspector],
      [open, stranger],
    ] as const) {
      const { preflight, answer } = await ask(auth, route, origin)
      expect([preflight, answer]).toEqual([none, none])
    }
  })

  it('is of an origin, and of nothing that only begins with one', () => {
    const read = (origin: string) =>
      readAuthorizationServer({ scopes: { a: 'A' }, origins: [origin] }, {})
    for (const origin of [
      '*',
      'null',
      '',
      'https://a.example/',
      'https://a.example/b',
      'a.example',
    ]) {
      expect(() => read(origin)).toThrow('origins')
    }
    expect(read('vscode-file://vscode-app')?.origins).toEqual(['vscode-file://vscode-app'])
  })
})

describe('the Origin of a request to a resource', () => {
  async function statusOf(auth: TestAuth, headers: Record<string, string>) {
    const agents = testAgents(auth)
    const token = await agents.tokens(await auth.signedInUser(), await agents.register())
    return (await agents.open(token.access_token, { headers })).status
  }

  it('is one of ours, a listed one, or none: a program sends none', async () => {
    expect(await statusOf(closed, {})).toBe(200)
    expect(await statusOf(closed, { origin: closed.url })).toBe(200)
    expect(await statusOf(closed, { origin: issuer })).toBe(200)
    expect(await statusOf(listed, { origin: inspector })).toBe(200)
    expect(await statusOf(open, { origin: stranger })).toBe(200)
  })

  it('is refused with 403 otherwise, under any name that the page has for this host (DNS rebinding)', async () => {
    for (const origin of [stranger, inspector, 'null', `${closed.url}.evil.example.com`]) {
      expect(await statusOf(closed, { origin })).toBe(403)
    }
    expect(await statusOf(listed, { origin: stranger })).toBe(403)
    const { port } = new URL(closed.url)
    const answer = await requestByName(port, `evil.example.com:${port}`)
    expect(answer).toBe(403)
  })
})

/** As a browser asks that was told a name of its own for this machine: Host and Origin agree. */
function requestByName(port: string, host: string) {
  return new Promise((resolve, reject) => {
    const headers = { host, origin: `http://${host}` }
    request({ host: '127.0.0.1', port, path: '/mcp', headers })
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}
