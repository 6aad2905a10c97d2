import { allow, getUserId } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions } from '@svc/auth/testing'
import { ForbiddenError, type HandlerContext, NotFoundError } from '@svc/core'
import { defineRouter, route, t } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { mcp, type OfferedResource, prompt, reportLog, reportProgress } from './index.ts'
import { agentToken, connect, revisions } from './test-client.ts'

const bytes = Buffer.from('bytes')

const readNote = allow.may('note:read')(
  route
    .get('/notes/:id/:form')
    .input({
      params: t.Object({
        id: t.String(),
        form: t.Union([t.Literal('plain'), t.Literal('picture'), t.Literal('page')]),
      }),
    })
    .handler(async (c): Promise<unknown> => {
      const { id, form } = (await c.data()).params
      if (id === 'none') throw new NotFoundError({ resource: 'Note' })
      if (id === 'secret') throw new ForbiddenError({ message: 'It is secret.' })
      if (id === 'bug') throw new Error('A detail of the bug.')
      if (form === 'page') return c.raw.html(`<p>${id}</p>`)
      if (form === 'plain') return { id, by: getUserId(c) }
      return new Response(bytes, { headers: { 'content-type': 'image/png' } })
    }),
)

const listNotes = allow.public(
  route
    .get('/notes')
    .input({ query: t.Object({ limit: t.Integer({ default: 10 }) }) })
    .handler(() => ({ notes: [] })),
)

const readDraft = allow.may('note:write')(
  route
    .get('/drafts/:id')
    .input({ params: t.Object({ id: t.String() }) })
    .handler(() => ({})),
)

const large = allow.may('note:read')(
  route.get('/large').handler(() => new Response(Buffer.alloc(10 * 1024 * 1024 + 1))),
)

async function reporting(c: HandlerContext) {
  await reportProgress(c, 1, { total: 2, message: 'half' })
  await reportProgress(c, 2, { total: 2 })
  await reportLog(c, 'info', { step: 'done' })
  return 'Done.'
}

const report = allow.may('note:read')(
  route
    .post('/report')
    .tool({ title: 'Report', describe: 'Reports how far it is.' })
    .handler(reporting),
)

const publicReport = allow.public(route.get('/public-report').handler(reporting))

const archive = allow.may('note:read')(
  route
    .get('/archive')
    .tool({ title: 'Archive', describe: 'Gives an archive.' })
    .handler(() => new Response(bytes, { headers: { 'content-type': 'application/zip' } })),
)

const words = { title: 'A note', describe: 'One note.' }
const resources: OfferedResource[] = [
  {
    name: 'readNote',
    uri: 'notes://{id}/{form}',
    ...words,
    complete: { id: (typed, c) => [`${typed}-of-${getUserId(c)}`] },
  },
  {
    name: 'listNotes',
    uri: 'notes://all',
    mimeType: 'application/json',
    title: 'Notes',
    describe: 'All notes.',
    permission: 'note:write',
  },
  { name: 'large', uri: 'notes://large', ...words },
  { name: 'readDraft', uri: 'drafts://{id}', ...words, complete: { id: ['first'] } },
]

const prompts = {
  summarize: prompt({
    title: 'Summarize',
    describe: 'Summarizes the notes.',
    permission: 'note:read',
    arguments: {
      tone: { describe: 'How it sounds', complete: ['formal', 'friendly', 'plain'] },
      about: { describe: 'A subject', isOptional: true },
    },
    messages: ({ tone, about = 'everything' }) => {
      if (tone === 'bug') throw new Error('A detail of the bug.')
      return `Summarize ${about}: ${tone}.`
    },
  }),
  tidy: prompt({
    title: 'Tidy',
    describe: 'Tidies the notes.',
    permission: 'note:write',
    messages: () => 'Tidy the notes.',
  }),
}

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

const about = { path: '/mcp', name: 'notes', version: '1.0.0' } as const
const routes = { readNote, readDraft, listNotes, large, report, publicReport, archive }
const endpoint = mcp({ ...about, tools: ['report', 'archive'], resources, prompts })
const auth = await startTestAuth({ options, router: defineRouter({ ...routes, mcp: endpoint }) })
afterAll(() => auth.stop())

const admin = await auth.signedInUser({ role: 'admin' })
const token = await agentToken(auth, admin, 'note:read note:write')
const reading = await agentToken(auth, admin, 'note:read')

describe.each(Object.keys(revisions) as (keyof typeof revisions)[])('revision %s', (revision) => {
  it('lists resources with their addresses, and templates apart', async () => {
    const client = await connect(auth, token, revision)
    expect((await client.listResources()).resources).toMatchObject([
      {
        uri: 'notes://all',
        name: 'listNotes',
        title: 'Notes',
        description: 'All notes.',
        mimeType: 'application/json',
      },
      { uri: 'notes://large', name: 'large' },
    ])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://{id}/{form}', name: 'readNote' },
      { uriTemplate: 'drafts://{id}', name: 'readDraft' },
    ])
  })

  it('reads a resource by its route, in the name of the user', async () => {
    const client = await connect(auth, token, revision)
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    const text = JSON.stringify({ id: 'ü 1', by: admin.userId })
    const uri = 'notes://%C3%BC%201/plain'
    expect(await read(uri)).toMatchObject({ uri, mimeType: 'application/json', text })
    expect(await read('notes://a/page')).toMatchObject({
      mimeType: expect.stringContaining('text/html'),
      text: '<p>a</p>',
    })
    expect(await read('notes://a/picture')).toMatchObject({
      mimeType: 'image/png',
      blob: bytes.toString('base64'),
    })
    expect(await read('notes://all')).toMatchObject({ text: '{"notes":[]}' })
  })

  it('refuses as the route does, and says nothing of a bug', async () => {
    const client = await connect(auth, token, revision)
    for (const [uri, text] of [
      ['notes://none/plain', 'Resource not found'],
      ['notes://a/b/plain', 'Resource not found'],
      ['notes://%ff/plain', 'Resource not found'],
      ['notes://a%2Fb/plain', 'cannot hold'],
      ['notes://a/other', 'ValidationError'],
      ['notes://secret/plain', 'It is secret.'],
    ] as const) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow(text)
    }
    for (const uri of ['notes://bug/plain', 'notes://large']) {
      const refused = await client.readResource({ uri }).catch((error: Error) => error.message)
      expect(refused).toMatch(/failed|Error/)
      expect(refused).not.toMatch(/detail|bytes/)
    }
  })

  it('gives a prompt with its arguments', async () => {
    const client = await connect(auth, token, revision)
    expect((await client.listPrompts()).prompts).toMatchObject([
      {
        name: 'summarize',
        title: 'Summarize',
        arguments: [
          { name: 'tone', required: true },
          { name: 'about', required: false },
        ],
      },
      { name: 'tidy' },
    ])
    const asked = { name: 'summarize', arguments: { tone: 'plain' } }
    const { messages } = await client.getPrompt(asked)
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Summarize everything: plain.' } },
    ])
    for (const [given, text] of [
      [{}, 'needs "tone"'],
      [{ tone: 'plain', more: 'a' }, 'takes no "more"'],
      [{ tone: 'bug' }, 'It failed.'],
    ] as const) {
      await expect(client.getPrompt({ name: 'summarize', arguments: given })).rejects.toThrow(text)
    }
    await expect(client.getPrompt({ name: 'toString' })).rejects.toThrow('no such prompt')
  })

  it('completes what a list, a function or the schema of a route knows', async () => {
    const client = await connect(auth, token, revision)
    const values = async (ref: object, name: string, value: string) => {
      const asked = { ref, argument: { name, value } } as Parameters<typeof client.complete>[0]
      return (await client.complete(asked)).completion.values
    }
    const ofPrompt = { type: 'ref/prompt', name: 'summarize' }
    expect(await values(ofPrompt, 'tone', 'F')).toEqual(['formal', 'friendly'])
    expect(await values(ofPrompt, 'about', '')).toEqual([])
    await expect(values(ofPrompt, 'toString', '')).rejects.toThrow('takes no')
    const ofResource = { type: 'ref/resource', uri: 'notes://{id}/{form}' }
    expect(await values(ofResource, 'form', 'p')).toEqual(['plain', 'picture', 'page'])
    expect(await values(ofResource, 'id', 'n')).toEqual([`n-of-${admin.userId}`])
    await expect(values(ofResource, 'limit', '')).rejects.toThrow('No resource has "limit"')
  })

  it('shows and gives only what the user has let the agent do', async () => {
    const client = await connect(auth, reading, revision)
    const { resources: listed } = await client.listResources()
    expect(listed.map(({ uri }) => uri)).toEqual(['notes://large'])
    await expect(client.readResource({ uri: 'notes://all' })).rejects.toThrow('note:write')
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['summarize'])
    await expect(client.getPrompt({ name: 'tidy' })).rejects.toThrow('note:write')
    const { resourceTemplates: templates } = await client.listResourceTemplates()
    expect(templates.map(({ name }) => name)).toEqual(['readNote'])
    const argument = { name: 'id', value: '' }
    for (const ref of [
      { type: 'ref/prompt', name: 'tidy' },
      { type: 'ref/resource', uri: 'drafts://{id}' },
    ]) {
      const asked = { ref, argument } as Parameters<typeof client.complete>[0]
      await expect(client.complete(asked)).rejects.toThrow('note:write')
    }
  })

  it('reports how far a call is, to an agent that has asked', async () => {
    const client = await connect(auth, token, revision)
    const seen: unknown[] = []
    const onprogress = (progress: object) => seen.push(progress)
    const call = { name: 'report', arguments: {} }
    expect(await client.callTool(call, { onprogress })).toMatchObject({
      content: [{ text: 'Done.' }],
    })
    expect(seen).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ])
    const tokens: unknown[] = []
    client.removeNotificationHandler('notifications/progress')
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === 'notifications/progress') tokens.push(params?.['progressToken'])
    }
    expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'Done.' }] })
    expect(tokens).toEqual([])
    // Each call has a token of its own.
    for (const _ of [1, 2]) await client.callTool(call, { onprogress })
    expect(new Set(tokens).size).toBe(2)
  })

  it('says of bytes that no model can read what they are', async () => {
    const client = await connect(auth, token, revision)
    expect(await client.callTool({ name: 'archive', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('application/zip') }],
    })
  })
})

describe('an endpoint of resources', () => {
  const starting = (...offered: Omit<OfferedResource, 'title' | 'describe'>[]) => {
    const given = offered.map((each) => ({ ...words, ...each }))
    const router = defineRouter({ ...routes, mcp: mcp({ ...about, resources: given }) })
    return startTestAuth({ options, router })
  }

  it('does not start with a route that agents can not read, or that its address does not fit', async () => {
    const started = starting(
      { name: 'report', uri: 'notes://report' },
      { name: 'listNotes', uri: 'notes://all' },
      { name: 'listNotes', uri: 'notes://all/{page}', permission: 'note:read' },
      { name: 'readNote', uri: 'notes://{id}' },
    )
    await expect(started).rejects.toThrow('"report" is a tool of "mcp", and is no resource: it has')
    await expect(started).rejects.toThrow(
      '"listNotes" is a tool of "mcp", and asks for no permission',
    )
    await expect(started).rejects.toThrow('has no "page" in its input')
    await expect(started).rejects.toThrow('needs "form", which is not in notes://{id}')
  })

  it('takes only addresses whose parts are names in braces', () => {
    for (const uri of ['notes', 'notes://{?id}', 'notes://{id', 'notes://id}', 'notes://{a}/{a}']) {
      expect(() => starting({ name: 'readNote', uri }), uri).toThrow(uri)
    }
  })
})

it('a report of a handler that no agent has called does nothing', async () => {
  const answered = await auth.fetch('/public-report')
  expect(await answered.json()).toBe('Done.')
})
