import { afterAll, describe, expect, it } from 'vitest'
import { bytesBody, ConflictError, perMinute, route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import type { Answer } from '../request/client.ts'
import { defineRouter } from '../routes/router.ts'
import { defineMiddleware, type Middleware } from '../routes/routes.ts'
import { startTestServer } from '../testing/test-server.ts'
import { type OfferedTool, offerTools, toolsOf } from './tools.ts'

const words = { title: 'A tool', describe: 'Does what the test asks.' }

/** What a middleware of the tool's own route sees of the call. */
const seeing = defineMiddleware('seeing', async (c, next) => {
  const { method, target } = c.req
  const names = Object.keys(c.incoming.headers).toSorted()
  c.set('seen', { method, target, names, isWithin: c.outer !== undefined })
  await next()
})

const echo = route
  .post('/shelves/:shelf/books')
  .input({
    params: t.Object({ shelf: t.Integer({ minimum: 1 }) }),
    query: t.Object({ isDry: t.Boolean({ default: false }) }),
    body: t.Object({ title: t.String({ minLength: 1 }), tags: t.Optional(t.Array(t.String())) }),
  })
  .use([seeing])
  .tool(words)
  .handler(async (c) => ({ ...(await c.data()), seen: c.raw.get('seen') }))

const offered: OfferedTool[] = [
  'echo',
  'viewed',
  'refusing',
  'failing',
  'breaking',
  'bigint',
  'limited',
  'text',
  'page',
  'contents',
  'breakingContents',
  'conditions',
  'small',
  { name: 'plain', ...words, title: 'A route without words' },
]

const valueOf = async (answer: Answer | Response) =>
  answer instanceof Response ? answer.text() : answer.value

/** An endpoint that calls the tool whose name and input are in the body. */
const endpointOf = (tools: readonly OfferedTool[], ...more: Middleware[]) =>
  route
    .post('/call')
    .use([...more, offerTools(tools)])
    .input({ body: t.Object({ name: t.String(), input: t.Record(t.String(), t.Unknown()) }) })
    .handler(async (c) => {
      const { name, input } = (await c.data()).body
      const tool = toolsOf(c.raw.server, tools).find((each) => each.name === name)
      const answer = await tool?.call(c.raw, input)
      return { status: answer?.status, value: answer && (await valueOf(answer)) }
    })

const routes = {
  echo,
  viewed: route
    .get('/viewed')
    .answer(t.Object({ id: t.String(), secret: t.String() }))
    .tool({ ...words, view: ({ id }: { id: string }) => ({ id }) })
    .handler(() => ({ id: 'one', secret: 'two' })),
  refusing: route
    .get('/refusing')
    .tool({ ...words, view: () => 'no part of a refusal' })
    .handler(() => {
      throw new ConflictError({ message: 'It is taken.' })
    }),
  failing: route
    .get('/failing')
    .tool(words)
    .handler(() => {
      throw new Error('A detail of the bug.')
    }),
  limited: route
    .get('/limited')
    .limit(perMinute(2), 'by address')
    .tool(words)
    .handler(() => ({})),
  breaking: route
    .get('/breaking')
    .tool({
      ...words,
      view: () => {
        throw new Error('A detail of the bug.')
      },
    })
    .handler(() => ({})),
  bigint: route
    .get('/bigint')
    .tool(words)
    .handler((): object => ({ is: 1n })),
  text: route
    .get('/text')
    .tool(words)
    .handler(() => new Response('text')),
  page: route
    .get('/page')
    .tool({ ...words, view: () => 'no part of a page' })
    .handler((c) => c.raw.html('<p>A page</p>')),
  contents: route
    .get('/contents')
    .answer(t.Object({ id: t.String() }))
    .tool({ ...words, contents: ({ id }: { id: string }) => [{ type: 'text', text: id }] })
    .handler(() => ({ id: 'one' })),
  breakingContents: route
    .get('/breaking-contents')
    .tool({
      ...words,
      contents: () => {
        throw new Error('A detail of the bug.')
      },
    })
    .handler(() => ({})),
  conditions: route
    .post('/conditions/:id')
    .input({
      params: t.Object(
        { id: t.Unsafe({ $ref: '#/$defs/id' }) },
        { $defs: { id: { minLength: 1 } } },
      ),
      body: t.Object(
        { a: t.Optional(t.Unsafe({ $ref: '#/$defs/a' })) },
        { $defs: { a: { minLength: 2 } }, minProperties: 1 },
      ),
    })
    .tool(words)
    .handler(() => ({})),
  small: route
    .post('/small')
    .body({ maxBytes: 20 })
    .input({ body: t.Object({ text: t.String() }) })
    .tool(words)
    .handler(() => ({})),
  plain: route.get('/plain').handler(() => ['as it is']),
}

const server = await startTestServer(
  defineServer().routes(defineRouter({ ...routes, call: endpointOf(offered) })),
  { env: { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' } },
)
afterAll(() => server.stop())

const call = async (name: string, input: object = {}, from = '192.0.2.1') => {
  const response = await server.fetch('/call', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      authorization: 'Bearer a-token',
      cookie: 'a=b',
    },
    body: JSON.stringify({ name, input }),
  })
  return response.json()
}

describe('a call of a tool', () => {
  it('is a call of its route: each member goes where the route reads it', async () => {
    const given = { shelf: 3, isDry: true, title: 'Über', tags: ['a'] }
    expect(await call('echo', given)).toMatchObject({
      status: 200,
      value: {
        params: { shelf: 3 },
        query: { isDry: true },
        body: { title: 'Über', tags: ['a'] },
        seen: { method: 'POST', target: '/shelves/3/books?isDry=true', isWithin: true },
      },
    })
    expect(await call('plain')).toEqual({ status: 200, value: ['as it is'] })
  })

  it('has nothing of the client that says who it is', async () => {
    const { value } = await call('echo', { shelf: 1, title: 'a' })
    expect(value.seen.names).toEqual([
      'accept-language',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'x-request-id',
    ])
  })

  it('has the refusals of its route as answers', async () => {
    for (const [given, text] of [
      [{ shelf: 0, title: 'a' }, 'params.shelf'],
      [{ shelf: 1 }, 'body.title'],
      [{ shelf: 1, title: 'a', isDry: 'perhaps' }, 'query.isDry'],
      [{ title: 'a' }, 'needs a value for "shelf"'],
      [{ shelf: '../admin', title: 'a' }, 'cannot hold'],
      [{ shelf: 1, title: 'a', other: 1 }, 'echo takes no "other".'],
      [{ shelf: 1, title: 'a', __proto__: null, constructor: 1 }, 'takes no "constructor"'],
    ] as const) {
      const { status, value } = await call('echo', given)
      expect({ status, message: value.error.message }).toEqual({
        status: 400,
        message: expect.stringContaining(text),
      })
    }
    expect(await call('refusing')).toMatchObject({
      status: 409,
      value: { error: { code: 'ConflictError', message: 'It is taken.' } },
    })
    expect(await call('small', { text: 'longer than twenty bytes' })).toMatchObject({ status: 413 })
  })

  it('says nothing of a bug, which is in the log', async () => {
    const { status, value } = await call('failing')
    expect(status).toBe(500)
    expect(JSON.stringify(value)).not.toContain('detail')
    for (const name of ['breaking', 'breakingContents', 'bigint']) {
      const answered = await call(name)
      expect(answered.status, name).toBe(500)
      expect(JSON.stringify(answered)).not.toMatch(/detail|BigInt/)
    }
  })

  it('counts against the limits of its route, with the calls of the same address', async () => {
    const statuses = [await call('limited'), await call('limited'), await call('limited')]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    expect((await server.fetch('/limited', { headers })).status).toBe(429)
    expect((await call('limited', {}, '192.0.2.2')).status).toBe(200)
  })

  it('answers what its view leaves', async () => {
    expect(await call('viewed')).toEqual({ status: 200, value: { id: 'one' } })
  })

  it('answers with the contents that its words make of the body', async () => {
    const value = [{ type: 'text', text: 'one' }]
    expect(await call('contents')).toEqual({ status: 200, value })
  })

  it('answers with text or bytes as its route does, which have no view', async () => {
    expect(await call('text')).toEqual({ status: 200, value: 'text' })
    expect(await call('page')).toEqual({ status: 200, value: '<p>A page</p>' })
  })
})

describe('a tool', () => {
  const toolOf = (name: string) =>
    toolsOf(server.infrastructure, offered).find((each) => each.name === name)

  it('has one object for all parts of the input', () => {
    expect(toolOf('echo')?.inputSchema).toMatchObject({
      type: 'object',
      properties: { shelf: { type: 'integer', minimum: 1 }, isDry: {}, title: {}, tags: {} },
      required: ['shelf', 'title'],
      additionalProperties: false,
    })
  })

  it('has the conditions of its parts, and the definitions that their members refer to', () => {
    expect(toolOf('conditions')?.inputSchema).toMatchObject({
      $defs: { id: { minLength: 1 }, a: { minLength: 2 } },
      minProperties: 1,
      properties: { id: { $ref: '#/$defs/id' }, a: { $ref: '#/$defs/a' } },
      required: ['id'],
    })
  })

  it('has the schema of its answer, unless a view or contents change it', () => {
    expect(toolOf('viewed')?.outputSchema).toBeUndefined()
    expect(toolOf('contents')?.outputSchema).toBeUndefined()
  })
})

describe('a server that offers tools', () => {
  const starting = (more: Parameters<typeof defineRouter>[0], ...tools: OfferedTool[]) =>
    startTestServer(
      defineServer().routes(defineRouter({ ...routes, ...more, call: endpointOf(tools) })),
    ).then(
      (started) => started.stop().then(() => 'started'),
      (error: Error) => error.message,
    )
  const body = t.Object({ id: t.String() })
  const tool = (more: object) => ({
    odd: route
      .post('/odd/:id')
      .input(more)
      .tool(words)
      .handler(() => ({})),
  })

  it('does not start with one that is no tool, and says what to do', async () => {
    const said = await starting({}, 'echos', 'plain')
    expect(said).toContain('no route has this name. Did you mean "echo"?')
    expect(said).toContain('"plain", and that route has no words for a model: add .tool(')
  })

  it('does not start with one that no single object can call', async () => {
    const params = t.Object({ id: t.String() })
    expect(await starting(tool({ params, body }), 'odd')).toContain(
      '"id" both in params and in body',
    )
    expect(await starting(tool({ form: body }), 'odd')).toContain('takes a form')
    expect(await starting(tool({ body: bytesBody({ maxBytes: 9 }) }), 'odd')).toContain(
      'is not an object',
    )
    expect(await starting(tool({ body: t.Array(t.String()) }), 'odd')).toContain('is not an object')
    const headers = t.Object({ 'x-one': t.String() })
    expect(await starting(tool({ headers }), 'odd')).toContain('needs a header')
  })

  it('offers nothing that an endpoint has not named', async () => {
    expect(toolsOf(server.infrastructure, ['echo', 'call'])).toHaveLength(1)
  })
})
