import { allow, getUserId } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions } from '@svc/auth/testing'
import { defineRouter, route } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { mcp, prompt } from './index.ts'
import { agentToken } from './test-client.ts'

// What the protocol's page on authorization asks of a server, at the endpoint itself.

const words = { title: 'Notes', describe: 'Reads the notes.' }

const listNotes = allow.may('note:read')(
  route
    .get('/notes')
    .tool(words)
    .handler((c) => ({ by: getUserId(c), shown: c.raw.req.header('authorization') ?? null })),
)
const writeNote = allow.may('note:write')(
  route
    .post('/notes')
    .tool({ title: 'Write', describe: 'Writes a note.' })
    .handler(() => ({ written: true })),
)
const eitherNote = allow.mayAny(
  'note:write',
  'note:read',
)(
  route
    .get('/either')
    .tool(words)
    .handler(() => ({ seen: true })),
)
const readDraft = allow.may('note:write')(route.get('/draft').handler(() => ({ draft: true })))

const options = {
  permissions: [
    { name: 'note:read', displayName: 'Read notes', category: 'note' },
    { name: 'note:write', displayName: 'Write notes', category: 'note' },
  ],
  rolePermissions: { user: ['note:read'], admin: ['note:read', 'note:write'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', 'note:write': 'Write notes', other: 'Something else' },
    resources: ['/mcp', '/others'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const about = { name: 'notes', version: '1.0.0' }
const tools = ['listNotes', 'writeNote', 'eitherNote']
const routes = { listNotes, writeNote, eitherNote, readDraft }
const auth = await startTestAuth({
  options,
  router: defineRouter({
    ...routes,
    mcp: mcp({
      ...about,
      path: '/mcp',
      tools,
      resources: [{ ...words, name: 'readDraft', uri: 'notes://draft' }],
      prompts: {
        tidy: prompt({ ...words, permission: 'note:write', messages: () => 'Tidy the notes.' }),
      },
    }),
    others: mcp({ ...about, path: '/others', tools }),
  }),
})
afterAll(() => auth.stop())

/** The token of an agent that a new user has allowed this. */
const tokenOf = async (scope: string, role = 'admin') =>
  agentToken(auth, await auth.signedInUser({ role }), scope)
const reading = await tokenOf('note:read')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Sending {
  readonly path?: string
  readonly method?: string
  readonly params?: object
  readonly more?: object
}

async function send(
  headers: Record<string, string>,
  { path = '/mcp', method = 'tools/list', params = {}, more = {} }: Sending = {},
) {
  const answer = await auth.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...more }),
  })
  const text = (await answer.text()).replace(/^event: message\ndata: /, '')
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, headers: answer.headers, challenge, body: JSON.parse(text) }
}

const metadata = (path: string) =>
  `resource_metadata="${auth.url}/.well-known/oauth-protected-resource${path}"`

describe('a request to an endpoint', () => {
  it('has its token in the Authorization header: in the query, the body or a cookie it is none', async () => {
    expect((await send(bearer(reading))).status).toBe(200)
    const elsewhere: [Record<string, string>, Sending][] = [
      [{}, { path: `/mcp?access_token=${reading}` }],
      [{}, { more: { access_token: reading } }],
      [{}, { params: { access_token: reading, _meta: { authorization: `Bearer ${reading}` } } }],
      [{ cookie: `access_token=${reading}` }, {}],
    ]
    for (const [headers, sending] of elsewhere) {
      expect((await send(headers, sending)).status, JSON.stringify(sending)).toBe(401)
    }
  })

  it('gets 401 without a token that was issued for this endpoint, and is told where to get one', async () => {
    const shown = [{}, bearer('x'.repeat(43)), { authorization: `Basic ${btoa('a:b')}` }]
    for (const headers of shown) {
      const { status, challenge, body } = await send(headers)
      expect({ status, body }).toMatchObject({
        status: 401,
        body: { error: { code: 'UnauthorizedError' } },
      })
      expect(challenge).toContain(metadata('/mcp'))
    }
    const atOther = await send(bearer(reading), { path: '/others' })
    expect(atOther).toMatchObject({ status: 401, challenge: expect.stringContaining('/others"') })
    const ended = await tokenOf('note:read')
    auth.clock.advance('1h')
    expect(await send(bearer(ended))).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('error="invalid_token"'),
    })
  })

  it('is shown by its token alone: there are no sessions', async () => {
    const user = await auth.signedInUser()
    const token = await agentToken(auth, user, 'note:read')
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'A test', version: '1.0.0' },
    }
    const opened = await send(bearer(token), { method: 'initialize', params })
    expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([200, null])
    const session = { 'mcp-session-id': crypto.randomUUID() }
    expect((await send(session)).status).toBe(401)
    const call = { method: 'tools/call', params: { name: 'listNotes', arguments: {} } }
    const { body } = await send({ ...session, ...bearer(token) }, call)
    expect(body.result.structuredContent.by).toBe(user.userId)
  })

  it('does not pass its token on to the route of a tool', async () => {
    const call = { method: 'tools/call', params: { name: 'listNotes', arguments: {} } }
    const { body } = await send(bearer(await tokenOf('note:read')), call)
    expect(body.result.structuredContent).toMatchObject({ shown: null })
  })
})

describe('a token that lacks a scope', () => {
  const ofWriting: [string, Sending][] = [
    ['a tool', { method: 'tools/call', params: { name: 'writeNote', arguments: {} } }],
    ['a resource', { method: 'resources/read', params: { uri: 'notes://draft' } }],
    ['a prompt', { method: 'prompts/get', params: { name: 'tidy' } }],
  ]

  it.each(ofWriting)(
    'gets 403 for %s, and all scopes that the client has to ask for (RFC 6750, 3.1)',
    async (_, asked) => {
      const token = await tokenOf('note:read other')
      const { status, challenge, body } = await send(bearer(token), asked)
      expect({ status, body }).toMatchObject({
        status: 403,
        body: { error: { code: 'ForbiddenError', message: expect.stringContaining('note:write') } },
      })
      expect(challenge).toContain(
        `Bearer ${metadata('/mcp')}, error="insufficient_scope", scope="note:read other note:write"`,
      )
      const more = await tokenOf('note:read other note:write')
      const retried = await send(bearer(more), asked)
      expect([retried.status, retried.challenge]).toEqual([200, null])
      expect(retried.body).toMatchObject({ result: expect.anything() })
      expect(retried.body.result.isError).toBeUndefined()
    },
  )

  it.each(ofWriting)(
    'is refused %s within the protocol where its user has not the permission: no scope would help',
    async (_, asked) => {
      const token = await tokenOf('note:read note:write', 'user')
      const { status, challenge, body } = await send(bearer(token), asked)
      expect([status, challenge]).toEqual([200, null])
      expect(JSON.stringify(body)).toContain('needs note:write')
    },
  )

  it('needs one of several that do', async () => {
    const call = { method: 'tools/call', params: { name: 'eitherNote', arguments: {} } }
    const enough = await tokenOf('note:read')
    expect((await send(bearer(enough), call)).body.result.isError).toBeUndefined()
    const none = await tokenOf('other')
    expect(await send(bearer(none), call)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('scope="other note:write"'),
    })
    // Its user lacks the permission of the first one: the second one helps.
    const inVain = await tokenOf('other note:write', 'user')
    expect(await send(bearer(inVain), call)).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('scope="other note:write note:read"'),
    })
  })

  it('is refused as before where it names what is not there', async () => {
    const token = await tokenOf('note:read')
    for (const asked of [
      { method: 'tools/call', params: { name: 'toString' } },
      { method: 'prompts/get', params: { name: 'constructor' } },
      { method: 'resources/read', params: { uri: 'notes://none' } },
      { method: 'resources/read', params: {} },
      { method: 'tools/call', more: { params: null } },
    ]) {
      const { status, body } = await send(bearer(token), asked)
      expect({ status, body }, JSON.stringify(asked)).toMatchObject({ body: { error: {} } })
      expect(status).not.toBe(403)
      expect(status).toBeLessThan(500)
    }
  })
})
