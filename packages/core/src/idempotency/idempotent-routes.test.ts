import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type AnswerOf, type Api, createApi } from '../client.ts'
import {
  defineMiddleware,
  defineRouter,
  defineServer,
  type HandlerContext,
  openApi,
  RequestInProgressError,
  type Router,
  route,
  routeTable,
  t,
  UnauthorizedError,
} from '../index.ts'
import { routeMapOf } from '../routes/contract.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const scheme = { visitor: { type: 'apiKey', in: 'header', name: 'x-visitor' } }

const visitor = defineMiddleware(
  'visitor',
  (c, next) => {
    c.caller = c.req.header('x-visitor')
    if (!c.caller) throw new UnauthorizedError()
    return next()
  },
  { documents: { credentials: [scheme], errors: [UnauthorizedError] } },
)

const placeOrder = route
  .post('/orders')
  .input({ body: t.Object({ note: t.String() }) })
  .answer(t.Object({ id: t.String(), note: t.String() }), 201)
  .idempotent()
  .handler(async (c) => c.created({ id: randomUUID(), note: (await c.data()).body.note }))

const router = defineRouter({ placeOrder }).use([visitor])

const database = await createTestDatabase()
const env = { DATABASE_URL: database.url, SVC_MIGRATE: 'apply' }
const first = await startTestServer(defineServer().routes(router), { env })
afterAll(async () => {
  await first.stop()
  await database.drop()
})

async function place({ key }: { key?: string }) {
  const answer = await first.fetch('/orders', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-visitor': 'ada',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ note: 'soon' }),
  })
  return { status: answer.status, body: await answer.text() }
}

describe('an idempotent route', () => {
  const bare = route.post('/bare').idempotent()
  const start = (one: Router) => startTestServer(defineServer().routes(one), { env })

  it('requires the key, of 255 characters at most', async () => {
    expect(await place({ key: 'x'.repeat(255) })).toMatchObject({ status: 201 })
    for (const key of [undefined, 'x'.repeat(256)]) {
      const answer = await place({ ...(key && { key }) })
      expect(answer).toMatchObject({
        status: 400,
        body: expect.stringContaining('headers.idempotency-key'),
      })
    }
  })

  it('keeps no answer that is not JSON, and no cookie', async () => {
    const served = async (made: Parameters<typeof bare.handler>[0]) => {
      const server = await start(defineRouter({ bare: bare.handler(made) }).use([visitor]))
      const headers = { 'x-visitor': 'ada', 'idempotency-key': 'k' }
      const { status } = await server.fetch('/bare', { method: 'POST', headers })
      const said = server.logged.map(({ err }) => (err as Error | undefined)?.message)
      await server.stop()
      return [status, said.find(Boolean)]
    }
    for (const text of [() => new Response('text'), (c: HandlerContext) => c.raw.text('text')]) {
      expect(await served(text)).toEqual([
        500,
        'An idempotent route answers JSON: only that is kept for a retry.',
      ])
    }
    for (const name of ['set-cookie', 'Set-Cookie', 'SET-COOKIE']) {
      expect(await served((c) => c.json(1, 200, { [name]: 'a=b' }))).toEqual([
        500,
        'The answer of an idempotent route sets no cookie.',
      ])
    }
  })

  it('refuses a route whose middleware has not said who calls: all of them would share their keys', async () => {
    const silent = defineMiddleware('silent', (_, next) => next(), {
      documents: { credentials: [scheme] },
    })
    const server = await start(defineRouter({ bare: bare.handler(() => 1) }).use([silent]))
    const headers = { 'idempotency-key': 'k' }
    const { status } = await server.fetch('/bare', { method: 'POST', headers })
    const said = server.logged.map(({ err }) => (err as Error | undefined)?.message)
    await server.stop()
    expect([status, said.find(Boolean)]).toEqual([
      500,
      'The caller of POST /bare is unknown: set c.caller in its middleware.',
    ])
  })

  it('is in the OpenAPI document with its header and its refusals', () => {
    const { paths } = openApi(routeTable(router), { title: 'Orders', version: '1' })
    const post = paths['/orders']?.post as {
      parameters: { name: string; in: string; required: boolean }[]
      responses: Record<string, unknown>
    }
    expect(post.parameters).toContainEqual(
      expect.objectContaining({
        name: 'idempotency-key',
        in: 'header',
        required: true,
        description: expect.stringContaining('A new one for each change'),
      }),
    )
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['201', '409', '422']))
  })

  it('is called by the typed client, which has to name the key', async () => {
    const api = createApi<typeof router>({
      routeMap: routeMapOf(router),
      baseUrl: first.url,
      errors: [RequestInProgressError],
      sign: async () => ({ 'x-visitor': 'ada' }),
    })
    const input = { body: { note: 'typed' } }
    const headers = { 'idempotency-key': randomUUID() }
    const order = await api.placeOrder.call({ ...input, headers })
    expect(await api.placeOrder.call({ ...input, headers })).toEqual(order)
    // @ts-expect-error -- the key is missing
    const refused = await api.placeOrder.try(input)
    expect(refused).toMatchObject({ ok: false, error: { name: 'ValidationError' } })
    // What the web proxy passes on.
    expect(routeMapOf(router).placeOrder?.headers).toEqual(['idempotency-key'])
  })

  it.each([
    [
      'knows no caller',
      () => defineRouter({ bare: bare.handler(() => 1) }),
      /needs to know its caller/,
    ],
    [
      'lets callers in who say nothing',
      () => {
        const open = defineMiddleware('open', (_, next) => next(), {
          documents: { credentials: [scheme, {}] },
        })
        return defineRouter({ bare: bare.handler(() => 1) }).use([open])
      },
      /needs to know its caller/,
    ],
    [
      'is a GET',
      () =>
        defineRouter({
          read: route
            .get('/read')
            .idempotent()
            .handler(() => 1),
        }).use([visitor]),
      /a GET changes nothing/,
    ],
  ])('is refused at boot where it %s', (_, build, words) => {
    expect(() => routeTable(build())).toThrow(words)
  })

  it('is declared after its input', () => {
    const late = bare.input({ body: t.Object({}) }).handler(() => 1)
    expect(() => routeTable(defineRouter({ late }).use([visitor]))).toThrow(
      /"late" \(POST \/bare\) is \.idempotent\(\), and its headers have no idempotency-key/,
    )
  })

  it('refuses a request without a key also where a schema of another library lets it be left out', async () => {
    const headers = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => ({ properties: { 'idempotency-key': { type: 'string' } } }),
          output: () => ({}),
        },
      },
    } as const
    const loose = route.post('/loose').input({ headers }).idempotent()
    const server = await start(defineRouter({ loose: loose.handler(() => 1) }).use([visitor]))
    const answer = await server.fetch('/loose', { method: 'POST', headers: { 'x-visitor': 'ada' } })
    await server.stop()
    expect(answer.status).toBe(400)
  })

  it('takes headers of its own beside the key', async () => {
    const traced = route
      .post('/traced')
      .input({ headers: t.Object({ 'x-trace': t.String() }) })
      .idempotent()
      .handler(async (c) => (await c.data()).headers)
    expectTypeOf<AnswerOf<Api<{ traced: typeof traced }>['traced']>>().toEqualTypeOf<{
      'x-trace': string
      'idempotency-key': string
    }>()
    expect(routeMapOf(defineRouter({ traced })).traced?.headers).toEqual([
      'x-trace',
      'idempotency-key',
    ])
  })
})
