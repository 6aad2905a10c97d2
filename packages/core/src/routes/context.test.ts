import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { ForbiddenError, NotFoundError, route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { HandlerContext } from './context.ts'
import { defineMiddleware } from './middleware.ts'
import { defineRouter } from './router.ts'

const remember = defineMiddleware('remember', async (c, next) => {
  const user = c.req.header('x-user')
  if (user) c.set('user', user)
  await next()
})

const pageQuery = t.Object({ page: t.Integer(), limit: t.Integer(), total: t.Integer() })

const router = defineRouter({
  members: route
    .post('/members/:id')
    .input({ params: t.Object({ id: t.String() }), body: t.Object({ a: t.Integer() }) })
    .handler(async (c) => ({ isContext: c instanceof HandlerContext, ...(await c.data()) })),
  withHeaders: route
    .get('/with-headers')
    .input({ headers: t.Object({ 'x-one': t.String() }) })
    .handler(async (c) => Object.keys(await c.data()).toSorted()),
  json: route.get('/json').handler((c) => c.json({ n: 1 })),
  jsonFull: route.get('/json-full').handler((c) => c.json({ n: 1 }, 207, { 'x-extra': 'yes' })),
  created: route.post('/created').handler((c) => c.created({ id: 1 }, '/things/1')),
  createdBare: route.post('/created-bare').handler((c) => c.created({ id: 1 })),
  noContent: route.delete('/no-content').handler((c) => c.noContent()),
  accepted: route.post('/accepted').handler((c) => c.accepted({ queued: true })),
  notModified: route.get('/not-modified').handler((c) => c.notModified()),
  success: route.get('/success').handler((c) => c.success([1, 2])),
  successMeta: route.get('/success-meta').handler((c) => c.success([1], { took: 3 })),
  perhapsMeta: route
    .get('/perhaps-meta')
    .input({ query: t.Object({ took: t.Optional(t.Integer()) }) })
    .handler(async (c) => {
      const { took } = (await c.data()).query
      const meta = took === undefined ? undefined : { took }
      return c.success([1], meta)
    }),
  page: route
    .get('/page')
    .input({ query: pageQuery })
    .handler(async (c) => {
      const { query } = await c.data()
      return c.paginated(['a'], query.page, query.limit, query.total)
    }),
  who: route
    .get('/who')
    .use([remember])
    .handler((c) => ({
      user: c.raw.get('user') ?? null,
      agent: c.raw.req.header('user-agent'),
      hasAddress: typeof c.raw.incoming.socket.remoteAddress === 'string',
    })),
  rawQuery: route.get('/raw-query').handler((c) => c.raw.req.query()),
  rawAnswer: route.get('/raw-answer').handler((c) => {
    c.raw.header('x-from-raw', 'yes')
    return c.raw.text('as is')
  }),
  missing: route.get('/missing').handler(() => {
    throw new NotFoundError({ resource: 'Order' })
  }),
  forbidden: route.get('/forbidden').handler(() => {
    throw new ForbiddenError({ message: 'Only the owner may do this.' })
  }),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)

const post = (path: string, body: unknown) =>
  server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('c.data()', () => {
  it('returns the validated params, query and body to the handler’s context (R-005, R-006)', async () => {
    const answer = await post('/members/m1', { a: 1 })

    expect(await answer.json()).toEqual({
      isContext: true,
      params: { id: 'm1' },
      query: {},
      body: { a: 1 },
    })
  })

  it('returns headers only when they are declared (R-007)', async () => {
    const declared = await server.fetch('/with-headers', { headers: { 'x-one': '1' } })
    const undeclared = await post('/members/m1', { a: 1 })

    expect(await declared.json()).toContain('headers')
    expect(await undeclared.json()).not.toHaveProperty('headers')
  })
})

describe('answers', () => {
  it('answers json with 200, or a given status and headers (R-005, R-009)', async () => {
    const bare = await server.fetch('/json')
    const full = await server.fetch('/json-full')

    expect([bare.status, await bare.json()]).toEqual([200, { n: 1 }])
    expect([full.status, full.headers.get('x-extra')]).toEqual([207, 'yes'])
  })

  it('answers created with 201 and a Location only when given (R-010)', async () => {
    const placed = await post('/created', {})
    const bare = await post('/created-bare', {})

    expect([placed.status, placed.headers.get('location')]).toEqual([201, '/things/1'])
    expect([bare.status, bare.headers.get('location')]).toEqual([201, null])
  })

  it('answers noContent with 204 and no body (R-011)', async () => {
    const answer = await server.fetch('/no-content', { method: 'DELETE' })

    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })

  it('answers accepted with 202 (R-012)', async () => {
    const answer = await post('/accepted', {})

    expect([answer.status, await answer.json()]).toEqual([202, { queued: true }])
  })

  it('answers notModified with 304 and no body (R-013)', async () => {
    const answer = await server.fetch('/not-modified')

    expect([answer.status, await answer.text()]).toEqual([304, ''])
  })

  it('takes a meta that may be undefined, and answers it where there is one (R-016)', async () => {
    const bodies = ['', '?took=3'].map(async (query) =>
      (await server.fetch(`/perhaps-meta${query}`)).json(),
    )
    expect(await Promise.all(bodies)).toEqual([
      { success: true, data: [1] },
      { success: true, data: [1], meta: { took: 3 } },
    ])
  })

  it('wraps success, with meta only when passed (R-016)', async () => {
    expect(await (await server.fetch('/success')).json()).toEqual({ success: true, data: [1, 2] })
    expect(await (await server.fetch('/success-meta')).json()).toEqual({
      success: true,
      data: [1],
      meta: { took: 3 },
    })
  })

  it('wraps a page with its pagination (R-017)', async () => {
    expect(await (await server.fetch('/page?page=2&limit=10&total=21')).json()).toEqual({
      success: true,
      data: ['a'],
      meta: { pagination: { page: 2, limit: 10, total: 21, totalPages: 3 } },
    })
  })

  it('counts pages up, none for nothing and none for a limit of 0 (R-018)', async () => {
    const pages = async (limit: number, total: number) => {
      const answer = await server.fetch(`/page?page=1&limit=${limit}&total=${total}`)
      const { meta } = (await answer.json()) as { meta: { pagination: { totalPages: number } } }
      return meta.pagination.totalPages
    }

    expect(await pages(10, 20)).toBe(2)
    expect(await pages(10, 21)).toBe(3)
    expect(await pages(10, 0)).toBe(0)
    expect(await pages(0, 5)).toBe(0)
  })
})

describe('c.raw', () => {
  it('is the framework’s context: headers, values, client address (R-014)', async () => {
    const answer = await server.fetch('/who', { headers: { 'user-agent': 'probe' } })
    const raw = await server.fetch('/raw-answer')

    expect(await answer.json()).toEqual({ user: null, agent: 'probe', hasAddress: true })
    expect([raw.headers.get('x-from-raw'), await raw.text()]).toEqual(['yes', 'as is'])
  })

  it('hands on what middleware stored, and never to another request (R-015)', async () => {
    const users = Array.from({ length: 50 }, (_, n) => (n % 2 ? `user-${n}` : null))
    const answers = await Promise.all(
      users.map(async (user) => {
        const answer = await server.fetch('/who', user ? { headers: { 'x-user': user } } : {})
        return ((await answer.json()) as { user: string | null }).user
      }),
    )

    expect(answers).toEqual(users)
  })
})

describe('reading the request raw', () => {
  it('bypasses validation, and the guide advises against it (R-008)', async () => {
    const answer = await server.fetch('/raw-query?page=many')
    const guide = await readFile(
      new URL('../../../../docs/guide/routes.md', import.meta.url),
      'utf8',
    )

    expect([answer.status, await answer.json()]).toEqual([200, { page: 'many' }])
    expect(guide).toMatch(/`c\.raw\.req`[^#]*bypasses validation[^#]*discouraged/)
  })
})

describe('thrown errors', () => {
  it('answers the not-found error with its resource and the forbidden error with its message (R-031, R-032)', async () => {
    const missing = await server.fetch('/missing')
    const forbidden = await server.fetch('/forbidden')

    expect([missing.status, await missing.json()]).toMatchObject([
      404,
      { __type: 'NotFoundError', resource: 'Order', error: { code: 'NotFoundError' } },
    ])
    expect([forbidden.status, await forbidden.json()]).toMatchObject([
      403,
      { __type: 'ForbiddenError', message: 'Only the owner may do this.' },
    ])
  })

  it('answers invalid input with the validation error (R-031, R-032)', async () => {
    const answer = await post('/members/m1', { a: 'one' })

    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { __type: 'ValidationError', fields: [{ path: 'body.a' }] },
    ])
  })
})
