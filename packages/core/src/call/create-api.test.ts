import { afterAll, describe, expect, it } from 'vitest'
import {
  ConflictError,
  HttpError,
  NotFoundError,
  route,
  TooManyRequestsError,
  t,
  ValidationError,
} from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { createApi } from './create-api.ts'
import { ApiUnreachableError } from './errors.ts'

class OutOfStockError extends HttpError<{ available: number }> {
  readonly name = 'OutOfStockError'
  readonly status = 409
  declare readonly available: number
}

const router = defineRouter({
  order: route
    .put('/shops/:shop/orders/:orderId')
    .input({
      params: t.Object({ shop: t.String(), orderId: t.Integer() }),
      query: t.Object({ tags: t.Array(t.String()), dry: t.Optional(t.Boolean()) }),
      body: t.Object({ note: t.String() }),
      headers: t.Object({ 'x-trace': t.String() }),
    })
    .handler(async (c) => c.success(await c.data())),
  remove: route.delete('/things').handler((c) => c.noContent()),
  missing: route.get('/missing').handler(() => {
    throw new NotFoundError({ resource: 'Order' })
  }),
  slow: route.get('/slow').handler(() => {
    throw new TooManyRequestsError({ retryAfter: 7 })
  }),
  sold: route
    .post('/sold')
    .errors(OutOfStockError)
    .handler(() => {
      throw new OutOfStockError({ message: 'Only two left.', available: 2 })
    }),
  bug: route.get('/bug').handler(() => {
    throw new TypeError('secret')
  }),
})

const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)
const api = server.api<typeof router>({ errors: [OutOfStockError] })

const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as HttpError,
  )

describe('call', () => {
  it('sends every declared part and resolves to the body', async () => {
    const body = await api.order.call({
      params: { shop: 'a b?c%', orderId: 7 },
      query: { tags: ['x', 'y&z'], dry: true },
      body: { note: 'héllo' },
      headers: { 'x-trace': 't1' },
    })

    expect(body).toEqual({
      success: true,
      data: {
        params: { shop: 'a b?c%', orderId: 7 },
        query: { tags: ['x', 'y&z'], dry: true },
        body: { note: 'héllo' },
        headers: { 'x-trace': 't1' },
      },
    })
  }, 5_000)

  it('resolves to undefined when there is no content', async () => {
    expect(await api.remove.call()).toBeUndefined()
  })

  it('throws refusals as the class they were thrown as, with their fields (R-031)', async () => {
    const missing = await thrownBy(api.missing.call())
    expect(missing).toBeInstanceOf(NotFoundError)
    expect(missing).toMatchObject({ status: 404, resource: 'Order', message: 'Order not found' })

    const slow = await thrownBy(api.slow.call())
    expect(slow).toBeInstanceOf(TooManyRequestsError)
    expect(slow).toMatchObject({ retryAfter: 7 })

    const invalid = await thrownBy(api.order.call({ params: { shop: 'a', orderId: 'x' } } as never))
    expect(invalid).toBeInstanceOf(ValidationError)
  })

  it('throws the application’s own classes when it is given them', async () => {
    const sold = await thrownBy(api.sold.call())
    expect(sold).toBeInstanceOf(OutOfStockError)
    expect(sold).toMatchObject({ available: 2, message: 'Only two left.' })

    const stranger = await thrownBy(server.api<typeof router>().sold.call())
    expect(stranger).toBeInstanceOf(HttpError)
    expect(stranger).not.toBeInstanceOf(ConflictError)
    expect(stranger).toMatchObject({ name: 'OutOfStockError', status: 409, available: 2 })
  })

  it('throws an unknown failure with its request id', async () => {
    const bug = await thrownBy(api.bug.call())

    expect(bug).toMatchObject({ name: 'Error', status: 500, message: 'Internal Server Error' })
    expect(bug).toHaveProperty('requestId', expect.any(String))
  })

  it('refuses a missing path parameter before it sends anything', async () => {
    for (const shop of ['', '.', '..']) {
      const call = api.order.call({ params: { shop, orderId: 1 } } as never)
      await expect(call).rejects.toThrow('needs a value for "shop"')
    }
  })

  it('refuses a path parameter that no server would match', async () => {
    for (const shop of ['a/b', 'a\\b', 'a\0b']) {
      const call = api.order.call({ params: { shop, orderId: 1 } } as never)
      await expect(call).rejects.toThrow('A path parameter cannot hold')
    }
  })

  it('tells a dead network apart from a refusal', async () => {
    const dead = createApi<typeof router>({
      routeMap: { missing: { method: 'GET', path: '/missing' } },
      baseUrl: 'http://localhost:1',
    })

    const outcome = await dead.missing.try()
    expect(outcome).toMatchObject({
      ok: false,
      error: { name: 'ApiUnreachableError', status: 503 },
    })
    await expect(dead.missing.call()).rejects.toBeInstanceOf(ApiUnreachableError)
  })
})

describe('time', () => {
  it('is limited, and a caller may give up', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        const end = () => reject(init?.signal?.reason as Error)
        if (init?.signal?.aborted) end()
        init?.signal?.addEventListener('abort', end)
      })
    const slow = server.api<typeof router>({ timeoutMillis: 30, fetch: never })
    await expect(slow.missing.call()).rejects.toBeInstanceOf(ApiUnreachableError)

    const controller = new AbortController()
    const given = server.api<typeof router>({ fetch: never }).missing.call(undefined, {
      signal: controller.signal,
    })
    controller.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('try', () => {
  it('resolves to the data or to the refusal', async () => {
    expect(await api.remove.try()).toEqual({ ok: true, data: undefined })
    const sold = await api.sold.try()
    expect(sold).toMatchObject({ ok: false, error: { name: 'OutOfStockError', available: 2 } })
  })
})

describe('names', () => {
  it('are those of the route map and nothing else', () => {
    const odd = api as unknown as Record<string, unknown>
    expect(odd.then).toBeUndefined()
    expect(odd.__proto__).toBeUndefined()
    expect(odd['toString']).toBeUndefined()
    expect(odd.order).toBe(odd.order)
  })

  it('says of a route that the route map lacks what to run', async () => {
    const bare = createApi<typeof router>({ routeMap: {}, baseUrl: 'http://localhost:1' })
    const said = /^"remove" is not in the route map: run "npx @svc\/cli generate"/
    await expect(bare.remove.call()).rejects.toThrow(said)
    await expect(bare.remove.try()).rejects.toThrow(said)
  })
})

describe('signing', () => {
  it('gets the request exactly as it is sent, and adds its headers', async () => {
    const seen: unknown[] = []
    const sent: unknown[] = []
    const signing = server.api<typeof router>({
      sign: async (request) => {
        seen.push(request)
        return { authorization: 'Bearer signed' }
      },
      fetch: async (url, init) => {
        sent.push({ method: init?.method, url, body: init?.body, headers: init?.headers })
        return fetch(url, init)
      },
    })
    await signing.order.call({
      params: { shop: 'a b', orderId: 1 },
      query: { tags: ['ü'] },
      body: { note: 'n' },
      headers: { 'x-trace': 't' },
    })

    const expected = {
      method: 'PUT',
      url: `${server.url}/shops/a%20b/orders/1?tags=%C3%BC`,
      body: '{"note":"n"}',
    }
    expect(seen).toEqual([{ ...expected, nowMillis: expect.any(Number) }])
    expect(sent).toEqual([
      {
        ...expected,
        headers: {
          'content-type': 'application/json',
          'x-trace': 't',
          authorization: 'Bearer signed',
        },
      },
    ])
  })
})

describe('through the RPC proxy', () => {
  it('posts by name, and gets only what the API answers to GET', async () => {
    const sent: string[] = []
    const proxied = server.api<typeof router>({
      proxy: '/api/rpc/',
      fetch: async (url, init) => {
        sent.push(`${init?.method} ${url as string} ${(init?.body as string) ?? ''}`)
        return Response.json({ success: true, data: 1 })
      },
    })
    await proxied.missing.call()
    await proxied.remove.call()
    await proxied.order.call({
      params: { shop: 'a', orderId: 1 },
      query: { tags: [] },
      body: { note: 'n' },
      headers: { 'x-trace': 't' },
    })

    expect(sent).toEqual([
      'GET /api/rpc/missing ',
      'POST /api/rpc/remove {}',
      'POST /api/rpc/order {"params":{"shop":"a","orderId":1},"query":{"tags":[]},"body":{"note":"n"},"headers":{"x-trace":"t"}}',
    ])
  })
})
