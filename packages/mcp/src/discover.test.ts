import { allow } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions } from '@svc/auth/testing'
import { defineRouter, route } from '@svc/core/contract'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { type McpOptions, mcp, prompt } from './index.ts'
import { agentToken, connect } from './test-client.ts'

// What a client can ask before anything else: `server/discover` of the revision 2026-07-28.

const words = { title: 'Notes', describe: 'Reads the notes.' }
const listNotes = allow.may('note:read')(
  route
    .get('/notes')
    .tool(words)
    .handler(() => ({ notes: [] })),
)

const options = {
  permissions: [{ name: 'note:read', displayName: 'Read notes', category: 'note' }],
  rolePermissions: { user: ['note:read'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', other: 'Something else' },
    resources: ['/mcp'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const about = { path: '/mcp', name: 'notes', version: '1.2.3', instructions: 'Notes.' } as const
const start = (offers: Partial<McpOptions>) =>
  startTestAuth({
    options,
    router: defineRouter({ listNotes, mcp: mcp({ ...about, ...offers }) }),
  })
const auth = await start({ tools: ['listNotes'] })
afterAll(() => auth.stop())
const token = await agentToken(auth, await auth.signedInUser(), 'note:read')

const revision = '2026-07-28'
const metaOf = (named: string) => ({
  'io.modelcontextprotocol/protocolVersion': named,
  'io.modelcontextprotocol/clientInfo': { name: 'A test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
})

interface Asking {
  readonly named?: string
  readonly method?: string
  readonly headers?: Record<string, string>
}

async function ask({ named = revision, method = 'server/discover', headers }: Asking = {}) {
  const answer = await auth.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': named,
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'd', method, params: { _meta: metaOf(named) } }),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

describe('server/discover', () => {
  it('says the revision, what the endpoint offers, who it is and what it is for', async () => {
    const { status, body } = await ask()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 'd',
        result: {
          resultType: 'complete',
          supportedVersions: [revision],
          capabilities: { logging: {}, tools: {} },
          instructions: 'Notes.',
          // The client has shown a token, so no shared cache keeps the answer.
          cacheScope: 'private',
          ttlMs: 0,
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'notes', version: '1.2.3' } },
        },
      },
    })
  })

  it('names the capabilities of all that an endpoint offers, and no other', async () => {
    const offering = await start({
      resources: [{ ...words, name: 'listNotes', uri: 'notes://all' }],
      prompts: { tidy: prompt({ ...words, permission: 'note:read', messages: () => 'Tidy.' }) },
    })
    onTestFinished(() => offering.stop())
    const held = await agentToken(offering, await offering.signedInUser(), 'note:read')
    const client = await connect(offering, held, revision)
    const capabilities = { completions: {}, logging: {}, prompts: {}, resources: {} }
    expect(client.getServerCapabilities()).toEqual(capabilities)
  })

  it('is the same for every agent: what it may use is in the lists', async () => {
    const held = await agentToken(auth, await auth.signedInUser(), 'other')
    const headers = { authorization: `Bearer ${held}` }
    expect((await ask({ headers })).body).toEqual((await ask()).body)
    const { body } = await ask({ headers, method: 'tools/list' })
    expect(body.result.tools).toEqual([])
  })

  it.each([
    ['without a token', ''],
    ['with a token that is none', 'Bearer none'],
  ])('says nothing %s, but where to get one', async (_, authorization) => {
    const { status, headers, body } = await ask({ headers: { authorization } })
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { error: { code: 'UnauthorizedError' } },
    })
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${auth.url}/.well-known/oauth-protected-resource/mcp"`,
    )
    expect(JSON.stringify(body)).not.toContain('notes')
  })
})

describe('a request of a revision that the endpoint does not have', () => {
  it.each(['1900-01-01', '2999-12-31', 'no revision'])(
    'is refused with the list of those that it has: %s',
    async (named) => {
      for (const method of ['server/discover', 'tools/list']) {
        expect(await ask({ named, method })).toMatchObject({
          status: 400,
          body: {
            id: 'd',
            error: { code: -32_022, data: { supported: [revision], requested: named } },
          },
        })
      }
    },
  )

  it('is refused where its header and its body name two of them', async () => {
    for (const headers of [{ 'mcp-protocol-version': '1900-01-01' }, { 'mcp-method': 'ping' }]) {
      expect(await ask({ headers })).toMatchObject({
        status: 400,
        body: { error: { code: -32_020 } },
      })
    }
  })

  it('is answered with one of its own where it opens with initialize, as those before 2026-07-28 do', async () => {
    const answer = await auth.fetch('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '1900-01-01',
          capabilities: {},
          clientInfo: { name: 'A test', version: '1.0.0' },
        },
      }),
    })
    expect(await answer.text()).toContain('"protocolVersion":"2025-11-25"')
  })
})
