import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { defineMiddleware } from './middleware.ts'
import { defineRouter } from './router.ts'

let handled = 0
const greeting = { greeting: 'hello' }

const everyPart = {
  params: t.Object({ orderId: t.Integer() }),
  query: t.Object({ limit: t.Integer({ minimum: 1 }), tags: t.Optional(t.Array(t.String())) }),
  body: t.Object({ password: t.String({ minLength: 8 }), count: t.Integer() }),
  headers: t.Object({ 'x-shop': t.String() }),
}

const router = defineRouter({
  echoGet: route.get('/methods').handler(() => 'get'),
  echoPost: route.post('/methods').handler(() => 'post'),
  echoPut: route.put('/methods').handler(() => 'put'),
  echoPatch: route.patch('/methods').handler(() => 'patch'),
  echoDelete: route.delete('/methods').handler(() => 'delete'),
  order: route
    .put('/orders/:orderId')
    .input(everyPart)
    .handler(async (c) => {
      handled += 1
      return c.data()
    }),
  zod: route
    .post('/zod')
    .input({ body: z.object({ age: z.coerce.number().min(18), color: z.enum(['red', 'blue']) }) })
    .handler(async (c) => (await c.data()).body),
  defaults: route
    .get('/defaults')
    .input({
      query: t.Object({ page: t.Integer({ default: 1 }), deep: t.Boolean({ default: false }) }),
    })
    .handler(async (c) => (await c.data()).query),
  profile: route
    .patch('/profile')
    .input({ body: t.Object({ name: t.String(), pets: t.Array(t.Object({ name: t.String() })) }) })
    .handler(async (c) => (await c.data()).body),
  plain: route.get('/plain').handler(() => greeting),
  nothing: route.get('/nothing').handler(() => undefined),
  declared: route
    .post('/declared')
    .answer(t.Object({ id: t.String() }), 201)
    .handler(() => ({ id: 'o1' })),
  account: route
    .get('/account')
    .answer(t.Object({ id: t.String(), keys: t.Array(t.Object({ keyId: t.String() })) }))
    .handler(() => {
      const row = { id: 'a1', hash: 'secret', keys: [{ keyId: 'k1', secret: 'secret' }] }
      return row
    }),
  fixed: route.get('/orders/new').handler(() => 'form'),
  one: route
    .get('/orders/:orderId')
    .input({ params: t.Object({ orderId: t.String() }) })
    .handler(async (c) => (await c.data()).params.orderId),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)

const putOrder = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.fetch(path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-shop': 'main', ...headers },
    body: JSON.stringify(body),
  })
const goodBody = { password: 'long enough', count: 2 }
const putOrderWithoutShop = () =>
  server.fetch('/orders/7?limit=5', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(goodBody),
  })

describe('a declared route', () => {
  it('answers to its method and path (R-001)', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await server.fetch('/methods', { method })
      expect(await answer.json()).toBe(method.toLowerCase())
    }
  })

  it('takes params, query, body and headers, each by its schema (R-001, R-006)', async () => {
    const answer = await putOrder('/orders/7?limit=5&tags=a&tags=b', goodBody)

    expect(await answer.json()).toEqual({
      params: { orderId: 7 },
      query: { limit: 5, tags: ['a', 'b'] },
      body: goodBody,
      headers: { 'x-shop': 'main' },
    })
  })

  it('answers what a handler returns as JSON (R-004)', async () => {
    const answer = await server.fetch('/plain')

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual(greeting)
  })

  it('answers null for a handler that returns nothing', async () => {
    expect(await (await server.fetch('/nothing')).json()).toBeNull()
  })

  it('answers with the declared status', async () => {
    const answer = await server.fetch('/declared', { method: 'POST' })

    expect([answer.status, await answer.json()]).toEqual([201, { id: 'o1' }])
  })

  it('answers what is declared and nothing beside it', async () => {
    expect(await (await server.fetch('/account')).json()).toEqual({
      id: 'a1',
      keys: [{ keyId: 'k1' }],
    })
  })

  it('is matched by its literal segments before another one by parameters', async () => {
    expect(await (await server.fetch('/orders/new')).json()).toBe('form')
    expect(await (await server.fetch('/orders/newer')).json()).toBe('newer')
  })
})

describe('validation', () => {
  const refused = {
    'a path parameter': () => putOrder('/orders/seven?limit=5', goodBody),
    'a query value': () => putOrder('/orders/7?limit=0', goodBody),
    'a number that would become another one': () =>
      putOrder('/orders/9007199254740993?limit=5', goodBody),
    'a number not written plainly': () => putOrder('/orders/7?limit=1e2', goodBody),
    'a value given twice': () => putOrder('/orders/7?limit=1&limit=2', goodBody),
    'a missing query': () => putOrder('/orders/7', goodBody),
    'a body member': () => putOrder('/orders/7?limit=5', { ...goodBody, count: 'two' }),
    'a missing header': putOrderWithoutShop,
  }

  for (const [what, send] of Object.entries(refused)) {
    it(`refuses ${what} before the handler runs (R-002)`, async () => {
      const before = handled
      const answer = await send()

      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ __type: 'ValidationError' })
      expect(handled).toBe(before)
    })
  }

  it('names the field and never repeats the value (R-002)', async () => {
    const answer = await putOrder('/orders/7?limit=5', { password: 'secret7', count: 1 })
    const text = await answer.text()

    expect(JSON.parse(text).fields).toEqual([
      { path: 'body.password', message: expect.any(String) },
    ])
    expect(text).not.toContain('secret7')
  })

  it.each([
    ['query', () => putOrder('/orders/7', goodBody), ['query.limit']],
    ['headers', putOrderWithoutShop, ['headers.x-shop']],
    ['body', () => putOrder('/orders/7?limit=5', {}), ['body.password', 'body.count']],
  ])('names what is missing in the %s (R-002)', async (_part, send, paths) => {
    const answer = await send()

    expect(answer.status).toBe(400)
    expect((await answer.json()).fields).toEqual(
      paths.map((path) => ({ path, message: 'is required' })),
    )
  })

  it('accepts any Standard Schema beside TypeBox and converts as it says (R-001)', async () => {
    const send = (body: object) =>
      server.fetch('/zod', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    expect(await (await send({ age: '21', color: 'red' })).json()).toEqual({
      age: 21,
      color: 'red',
    })
    const refusal = await send({ age: 3, color: 'hunter2' })
    const text = await refusal.text()
    expect(refusal.status).toBe(400)
    expect(JSON.parse(text).fields.map(({ path }: { path: string }) => path)).toEqual([
      'body.age',
      'body.color',
    ])
    expect(text).not.toContain('hunter2')
  })

  it('fills in defaults', async () => {
    expect(await (await server.fetch('/defaults')).json()).toEqual({ page: 1, deep: false })
    expect(await (await server.fetch('/defaults?page=3&deep=true')).json()).toEqual({
      page: 3,
      deep: true,
    })
  })

  it('hands a handler nothing that the schema does not name', async () => {
    const answer = await server.fetch('/profile', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', role: 'admin', pets: [{ name: 'Rex', owner: 1 }] }),
    })

    expect(await answer.json()).toEqual({ name: 'Ada', pets: [{ name: 'Rex' }] })
  })
})

describe('paths', () => {
  const notFound = [
    '/orders%2Fnew',
    '/orders//new',
    '/orders/new/',
    '/./plain',
    '/x/../plain',
    '/plain%00',
    '/plain\\',
    '/plain#x',
    '/%2e%2e/plain',
    '/plain%zz',
  ]
  for (const path of notFound) {
    it(`does not find ${path}`, async () => {
      expect(await rawGet(path)).toMatch(/^HTTP\/1\.1 404 /)
    })
  }

  it('decodes a path once', async () => {
    expect(await (await server.fetch('/%70lain')).json()).toEqual(greeting)
    expect(await (await server.fetch('/orders/a%20b')).json()).toBe('a b')
    expect(await (await server.fetch('/orders/%2541')).json()).toBe('%41')
    expect(await (await server.fetch('/orders/%ED%95%9C')).json()).toBe('한')
  })

  it('answers another method on a known path with 405 and Allow', async () => {
    const answer = await server.fetch('/plain', { method: 'DELETE' })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
    expect(await answer.json()).toMatchObject({ __type: 'MethodNotAllowedError' })
  })

  it('answers HEAD as GET without the body', async () => {
    const answer = await server.fetch('/plain', { method: 'HEAD' })

    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('middleware', () => {
  it('runs the router’s and then the route’s, in order, but for what the route skips', async () => {
    const order: string[] = []
    const named = (name: string) =>
      defineMiddleware(name, async (_c, next) => {
        order.push(name)
        await next()
        order.push(`${name} after`)
      })
    const inner = defineRouter({
      inside: route
        .get('/inside')
        .use([named('own')])
        .handler(() => 1),
    }).use([named('package')])
    const outer = defineRouter({
      outside: route
        .get('/outside')
        .use([named('own')])
        .skip(['second'])
        .handler(() => 1),
    })
      .packages([inner])
      .use([named('first'), named('second')])
    const chained = await startTestServer(defineServer().routes(outer))

    await chained.fetch('/outside')
    expect(order).toEqual(['first', 'own', 'own after', 'first after'])
    order.length = 0
    await chained.fetch('/inside')
    expect(order.slice(0, 4)).toEqual(['first', 'second', 'package', 'own'])
    await chained.stop()
  })

  it('leaves out what the route’s own middleware stands in for', async () => {
    const refuse = defineMiddleware('auth', (c) => c.text('signed in only', 401))
    const instead = defineMiddleware('optional', (_c, next) => next(), { skips: ['auth'] })
    const outer = defineRouter({
      closed: route.get('/closed').handler(() => 1),
      open: route
        .get('/open')
        .use([instead])
        .handler(() => 1),
    }).use([refuse])
    const guarded = await startTestServer(defineServer().routes(outer))

    expect((await guarded.fetch('/closed')).status).toBe(401)
    expect((await guarded.fetch('/open')).status).toBe(200)
    await guarded.stop()
  })

  it('may answer instead of the handler, set headers, and see what the handler throws', async () => {
    const guards = defineRouter({
      closed: route
        .get('/closed')
        .use([defineMiddleware('door', (c) => c.text('closed', 418))])
        .handler(() => 'open'),
      marked: route
        .get('/marked')
        .use([
          defineMiddleware('mark', async (c, next) => {
            c.header('x-before', '1')
            c.header('set-cookie', 'a=1', { append: true })
            c.header('set-cookie', 'b=2', { append: true })
            await next()
            c.header('x-after', '2')
          }),
        ])
        .handler(() => 'marked'),
      forgetful: route
        .get('/forgetful')
        .use([defineMiddleware('forgetful', () => {})])
        .handler(() => 'never'),
    })
    const guarded = await startTestServer(defineServer().routes(guards))

    const closed = await guarded.fetch('/closed')
    expect([closed.status, await closed.text()]).toEqual([418, 'closed'])
    expect(closed.headers.get('x-request-id')).toBeTruthy()
    const { headers } = await guarded.fetch('/marked')
    expect([headers.get('x-before'), headers.get('x-after')]).toEqual(['1', '2'])
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await guarded.fetch('/forgetful')).status).toBe(500)
    await guarded.stop()
  })
})

/** fetch tidies a path before it sends it; this does not. */
async function rawGet(path: string) {
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(server.url)
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.on('end', () => resolve(text)).on('error', reject)
  })
}
