import type { Client } from '@modelcontextprotocol/client'
import { allow, getAuth, getUserId } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions } from '@svc/auth/testing'
import { ConflictError, defineRouter, route, t } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { mcp } from './mcp.ts'
import { agentToken, connect, revisions } from './test-client.ts'

const written: string[] = []

const listNotes = allow.public(
  route
    .get('/notes')
    .input({ query: t.Object({ limit: t.Integer({ minimum: 1, default: 10 }) }) })
    .answer(t.Object({ notes: t.Array(t.String()), limit: t.Integer() }))
    .tool({ title: 'Read the notes', describe: 'Lists the notes.', permission: 'note:read' })
    .handler(async (c) => ({ notes: written, limit: (await c.data()).query.limit })),
)

const writeNote = allow.may('note:write')(
  route
    .put('/notes/:id')
    .input({ params: t.Object({ id: t.String() }), body: t.Object({ text: t.String() }) })
    .tool({ title: 'Write a note', describe: 'Writes a note in the name of the user.' })
    .handler(async (c) => {
      const { params, body } = await c.data()
      if (body.text === 'taken') throw new ConflictError({ message: 'It is taken.' })
      if (body.text === 'bug') throw new Error('A detail of the bug.')
      written.push(`${params.id}: ${body.text}`)
      return { by: getUserId(c), kind: getAuth(c).kind, at: new Date(0) }
    }),
)

const removeNote = allow.may('note:write')(
  route
    .delete('/notes/:id')
    .input({ params: t.Object({ id: t.String() }) })
    .tool({ title: 'Remove a note', describe: 'Removes a note for good.' })
    .handler((c) => c.noContent()),
)

/** For people alone: no agent may call it. */
const forPeople = allow.bearer(
  route
    .post('/for-people')
    .tool({ title: 'For people', describe: 'Only people may.', permission: 'note:read' })
    .handler(() => ({})),
)

/** It asks for no permission, and names none for agents. */
const forEveryone = allow.public(
  route
    .get('/for-everyone')
    .tool({ title: 'For everyone', describe: 'Everyone may.' })
    .handler(() => ({})),
)

const tools = ['listNotes', 'writeNote', 'removeNote']
const options = {
  permissions: [
    { name: 'note:read', displayName: 'Read notes', category: 'note' },
    { name: 'note:write', displayName: 'Write notes', category: 'note' },
  ],
  rolePermissions: { user: ['note:read'], admin: ['note:read', 'note:write'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', 'note:write': 'Write notes' },
    resources: ['/mcp'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const auth = await startTestAuth({
  options,
  router: defineRouter({
    listNotes,
    writeNote,
    removeNote,
    mcp: mcp({ path: '/mcp', name: 'notes', version: '1.2.3', instructions: 'Notes.', tools }),
  }),
})
afterAll(() => auth.stop())

const admin = await auth.signedInUser({ role: 'admin' })
const user = await auth.signedInUser()
const token = await agentToken(auth, admin, 'note:read note:write')
const reading = await agentToken(auth, admin, 'note:read')
const ofUser = await agentToken(auth, user, 'note:read note:write')

const namesFor = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

describe.each(Object.keys(revisions) as (keyof typeof revisions)[])('revision %s', (revision) => {
  it('lists the tools with their titles, hints and schemas', async () => {
    const client = await connect(auth, token, revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'notes', version: '1.2.3' })
    expect(client.getInstructions()).toBe('Notes.')
    expect((await client.listTools()).tools).toMatchObject([
      {
        name: 'listNotes',
        title: 'Read the notes',
        annotations: { readOnlyHint: true, destructiveHint: false },
        inputSchema: { properties: { limit: { type: 'integer', minimum: 1 } } },
        outputSchema: { properties: { notes: { type: 'array' } } },
      },
      {
        name: 'writeNote',
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
        inputSchema: { required: ['id', 'text'], additionalProperties: false },
      },
      { name: 'removeNote', annotations: { destructiveHint: true } },
    ])
  })

  it('calls the route of a tool in the name of the user', async () => {
    const client = await connect(auth, token, revision)
    const called = await client.callTool({ name: 'writeNote', arguments: { id: 'n', text: 'one' } })
    const value = { by: admin.userId, kind: 'agent', at: '1970-01-01T00:00:00.000Z' }
    expect(called.structuredContent).toEqual(value)
    expect(called.content).toEqual([{ type: 'text', text: JSON.stringify(value) }])
    const listed = await client.callTool({ name: 'listNotes', arguments: {} })
    expect(listed.structuredContent).toEqual({ notes: written, limit: 10 })
    expect(await client.callTool({ name: 'removeNote', arguments: { id: 'n' } })).toMatchObject({
      content: [{ text: 'Done.' }],
    })
  })

  it('says what is wrong, for the model to read', async () => {
    const client = await connect(auth, token, revision)
    for (const [given, text] of [
      [{ id: 'n' }, 'ValidationError: The request is not valid: text is required.'],
      [{ id: 'n', text: 'taken' }, 'ConflictError: It is taken.'],
      [{ id: 'n', text: 'a', more: 1 }, 'BadRequestError: writeNote takes no "more".'],
      [{ id: 'n', text: 'bug' }, expect.not.stringContaining('detail')],
    ] as const) {
      expect(await client.callTool({ name: 'writeNote', arguments: given })).toMatchObject({
        isError: true,
        content: [{ text }],
      })
    }
    await expect(client.callTool({ name: 'toolless', arguments: {} })).rejects.toThrow(
      'no such tool',
    )
  })

  it('shows and calls only what the user has, and has let the agent do', async () => {
    const before = [...written]
    const given = { name: 'writeNote', arguments: { id: 'n', text: 'not from me' } }
    const ofReader = await connect(auth, reading, revision)
    expect(await namesFor(ofReader)).toEqual(['listNotes'])
    await expect(ofReader.callTool(given)).rejects.toThrow('note:write')
    const client = await connect(auth, ofUser, revision)
    expect(await namesFor(client)).toEqual(['listNotes'])
    expect(await client.callTool(given)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('note:write') }],
    })
    expect(written).toEqual(before)
  })

  it('refuses the next call of a grant that is over', async () => {
    const leaver = await auth.signedInUser()
    const ending = await agentToken(auth, leaver, 'note:read')
    const client = await connect(auth, ending, revision)
    expect(await namesFor(client)).toContain('listNotes')
    const { body } = await auth.call('listOAuth2Grants', undefined, leaver.key)
    const [{ grantId }] = body.grants
    await auth.call('revokeOAuth2Grant', undefined, leaver.key, { params: { grantId } })
    await expect(client.callTool({ name: 'listNotes', arguments: {} })).rejects.toThrow()
  })
})

describe('an endpoint of tools', () => {
  it('does not start with a route that no agent may call, or that every agent may', async () => {
    const offered = ['forPeople', 'forEveryone']
    const endpoint = mcp({ path: '/mcp', name: 'notes', version: '1', tools: offered })
    const router = defineRouter({ forPeople, forEveryone, mcp: endpoint })
    const started = startTestAuth({ options, router })
    await expect(started).rejects.toThrow('lets no agent in: its access is "bearer".')
    await expect(started).rejects.toThrow(
      '"forEveryone" is a tool of "mcp", and asks for no permission',
    )
  })

  it('opens no stream, which would outlive its grant', async () => {
    const client = await connect(auth, token, '2026-07-28')
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('Method not found')
  })

  it('refuses a caller without an access token: a call within it has the caller of the request', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const headers = { 'content-type': 'application/json' }
    expect((await auth.fetch('/mcp', { method: 'POST', headers, body })).status).toBe(401)
  })
})
