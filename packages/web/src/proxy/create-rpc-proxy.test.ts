import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineRouter, defineServer, route, routeMapOf, t } from '@svc/core'
import { createApi, NotFoundError } from '@svc/core/client'
import { startTestServer } from '@svc/core/testing'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createRpcProxy, type Interceptor, type RpcProxyOptions } from '../proxy.ts'
import { leaveNode } from '../test-browser.ts'
import type { ProxyCall } from './interceptor.ts'

const Order = t.Object({ note: t.String() })

const router = defineRouter({
  getOrder: route
    .get('/orders/:orderId')
    .input({
      params: t.Object({ orderId: t.String() }),
      query: t.Object({ expand: t.Optional(t.Array(t.String())) }),
    })
    .errors(NotFoundError)
    .handler(async (c) => {
      const { params, query } = await c.data()
      if (params.orderId === 'unknown') throw new NotFoundError({ resource: 'Order' })
      return { orderId: params.orderId, expand: query.expand ?? [] }
    }),
  placeOrder: route
    .post('/orders')
    .input({ body: Order })
    .handler(async (c) => {
      const { body } = await c.data()
      return c.created({ note: body.note }, '/orders/7')
    }),
  listOrders: route
    .post('/orders/list')
    .input({ body: t.Object({ isOpen: t.Optional(t.Boolean()) }) })
    .handler(async (c) => ({
      taken: (await c.data()).body,
      type: c.raw.incoming.headers['content-type'],
    })),
  cancelOrder: route.delete('/orders/current').handler((c) => c.noContent()),
  listHeaders: route.get('/headers').handler((c) => c.raw.incoming.headers),
  readNote: route
    .get('/note')
    .input({ headers: t.Object({ 'x-note': t.String(), cookie: t.Optional(t.String()) }) })
    .handler((c) => c.raw.incoming.headers),
  addHeaders: route.post('/headers').handler((c) => c.raw.incoming.headers),
  answerHeaders: route.get('/answer-headers').handler((c) =>
    c.json({}, 200, {
      'set-cookie': ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'],
      etag: '"v1"',
      'cache-control': 'private, max-age=60',
      'retry-after': '9',
      'x-internal': 'host 7',
    }),
  ),
  moved: route.get('/moved').handler((c) => c.json(null, 302, { location: '/elsewhere' })),
})

const routeMap = routeMapOf(router)
const server = await startTestServer(defineServer().routes(router))
afterAll(server.stop)

function proxied(options: Partial<RpcProxyOptions> = {}) {
  const { GET, POST } = createRpcProxy({ routeMap, apiUrl: server.url, ...options })
  return (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    return request.method === 'GET' ? GET(request) : POST(request)
  }
}

const proxy = 'http://web.test/api/rpc'
const get = (path: string, through = proxied()) => through(`${proxy}/${path}`)

function post(name: string, input: unknown, headers: Record<string, string> = {}) {
  return proxied()(`${proxy}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof input === 'string' ? input : JSON.stringify(input),
  })
}

/** The one name of a refusal that must be in both of its places. */
async function refused(answer: Response) {
  const body = await answer.json()
  expect(body).toEqual({
    ...body,
    __type: body.error.code,
    message: body.error.message,
    error: { ...body.error, requestId: answer.headers.get('x-request-id') },
  })
  return [answer.status, body.error.code]
}

describe('a call', () => {
  it('reaches what the API answers to GET by GET and by POST', async () => {
    const input = { params: { orderId: 'a b' }, query: { expand: ['x', 'y'] } }
    const byGet = await get(`getOrder?input=${encodeURIComponent(JSON.stringify(input))}`)
    const byPost = await post('getOrder', input)

    expect(byGet.status).toBe(200)
    expect(await byGet.json()).toEqual({ orderId: 'a b', expand: ['x', 'y'] })
    expect(await byPost.json()).toEqual({ orderId: 'a b', expand: ['x', 'y'] })
  })

  it('has no body where the API is asked by GET', async () => {
    const input = { params: { orderId: 'a' }, query: {}, body: null }
    expect(await refused(await post('getOrder', input))).toEqual([400, 'BadRequestError'])
    const path = `getOrder?input=${encodeURIComponent(JSON.stringify(input))}`
    expect(await refused(await get(path))).toEqual([400, 'BadRequestError'])
  })

  it('reaches everything else by POST only', async () => {
    const placed = await post('placeOrder', { body: { note: 'soon' } })

    expect([placed.status, await placed.json()]).toEqual([201, { note: 'soon' }])
    expect(placed.headers.get('location')).toBe('/orders/7')
    const answer = await get(`placeOrder?input=${JSON.stringify({ body: { note: 'now' } })}`)
    expect(answer.headers.get('allow')).toBe('POST')
    expect(await refused(answer)).toEqual([405, 'MethodNotAllowedError'])
    expect(await refused(await get('cancelOrder'))).toEqual([405, 'MethodNotAllowedError'])
  })

  it.each(['unknown', '__proto__', 'constructor', 'toString', '', '%ff', '%2e%2e'])(
    'answers 404 to the name "%s", which is no operation',
    async (name) => {
      expect(await refused(await get(name))).toEqual([404, 'NotFoundError'])
      expect(await refused(await post(name, {}))).toEqual([404, 'NotFoundError'])
    },
  )

  it('that the proxy refuses is refused in the form that the API would choose', async () => {
    const headers = { accept: 'application/problem+json' }
    const request = new Request(`${proxy}/unknown`, { headers })
    const answer = await proxied()(request)

    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'NotFoundError', status: 404 })
  })

  it('changes nothing by HEAD, which a framework hands to GET', async () => {
    const head = { method: 'HEAD', headers: { 'content-type': 'application/json' } }
    const { GET } = createRpcProxy({ routeMap, apiUrl: server.url })

    expect((await GET(new Request(`${proxy}/cancelOrder`, head))).status).toBe(405)
    expect((await GET(new Request(`${proxy}/listHeaders`, head))).status).toBe(200)
  })

  it('takes no body for no input', async () => {
    expect((await post('cancelOrder', '')).status).toBe(204)
  })

  it('without a body sends {} where all its members are optional', async () => {
    const sent = { taken: {}, type: 'application/json' }
    for (const input of ['', '{}', '{"body":{}}']) {
      expect(await (await post('listOrders', input)).json()).toEqual(sent)
    }
    const toProxy = proxied()
    const api = createApi<typeof router>({
      routeMap,
      proxy: 'http://web.test/api/rpc',
      fetch: (url, init) => toProxy(new Request(url, init)),
    })
    expect(await api.listOrders.call()).toEqual(sent)
  })
})

describe('headers', () => {
  const browser = {
    cookie: 'svc_session=secret',
    authorization: 'Bearer secret',
    'x-svc-proxy-client-address': '192.0.2.1',
    'x-forwarded-for': '192.0.2.1',
    origin: 'https://evil.test',
    'accept-language': 'de',
    'user-agent': 'Browser/1',
    accept: 'application/problem+json',
  }

  it('of the browser are forwarded when they are language, user agent or accept', async () => {
    const got = await (await post('addHeaders', {}, browser)).json()

    expect(got).toMatchObject({
      'accept-language': 'de',
      'user-agent': 'Browser/1',
      accept: 'application/problem+json',
    })
    for (const name of ['cookie', 'authorization', 'x-forwarded-for', 'origin']) {
      expect(got).not.toHaveProperty(name)
    }
    expect(JSON.stringify(got)).not.toMatch(/secret|x-svc|192\.0\.2\.1/)
  })

  it('of the input cannot stand behind those that an interceptor reads', async () => {
    let seen: unknown
    const watch: Interceptor = (call, next) => {
      seen = call.headers.authorization
      return next(call)
    }
    const { POST } = createRpcProxy({ routeMap, apiUrl: server.url, interceptors: [watch] })
    const body = '{"headers":{"__proto__":{"authorization":"Bearer secret"}}}'
    const headers = { 'content-type': 'application/json' }

    await POST(new Request(`${proxy}/addHeaders`, { method: 'POST', headers, body }))
    expect(seen).toBeUndefined()
  })

  it('of the input are sent where the contract of the operation names them', async () => {
    const headers = { ...browser, cookie: 'a=1', 'content-length': '1', 'x-note': 'mine' }
    const got = await (await post('readNote', { headers })).json()
    expect(got).toMatchObject({ 'x-note': 'mine', 'accept-language': '*' })
    expect(got).not.toHaveProperty('content-length')
    expect(JSON.stringify(got)).not.toMatch(/secret|a=1|x-svc|192\.0\.2\.1|evil/)

    const unnamed = await (await post('listHeaders', { headers })).json()
    expect(unnamed).not.toHaveProperty('x-note')
  })

  it('of the answer come back when a browser needs them, each cookie separately', async () => {
    const { headers } = await get('answerHeaders')

    expect(headers.getSetCookie()).toEqual(['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'])
    expect(headers.get('etag')).toBe('"v1"')
    expect(headers.get('cache-control')).toBe('private, max-age=60')
    expect(headers.get('retry-after')).toBe('9')
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]{8,}$/)
    expect(headers.has('x-internal')).toBe(false)
  })

  it('keep an answer out of shared caches unless the API says otherwise', async () => {
    expect((await get('listHeaders')).headers.get('cache-control')).toBe('no-store')
  })

  it('hand a redirect to the browser instead of following it', async () => {
    const answer = await get('moved')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/elsewhere'])
  })
})

describe('an API that does not answer', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is 503 when it is down', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const answer = await get('listHeaders', proxied({ apiUrl: 'http://127.0.0.1:1' }))

    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await refused(answer)).toEqual([503, 'ServiceUnavailableError'])
    expect(logged).toHaveBeenCalledOnce()
  })

  it('is 503 when it takes longer than timeoutMillis', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const silent = createServer(() => {}).listen(0)
    const { port } = silent.address() as AddressInfo
    const answer = await get(
      'listHeaders',
      proxied({ apiUrl: `http://127.0.0.1:${port}`, timeoutMillis: 50 }),
    )
    silent.closeAllConnections()
    silent.close()

    expect(await refused(answer)).toEqual([503, 'ServiceUnavailableError'])
  })
})

describe('interceptors', () => {
  it('run in the order of the list, around the call', async () => {
    const ran: string[] = []
    const named =
      (name: string): Interceptor =>
      async (given, next) => {
        ran.push(`${name} before`)
        const answer = await next(given)
        ran.push(`${name} after`)
        return answer
      }
    await get('listHeaders', proxied({ interceptors: [named('outer'), named('inner')] }))

    expect(ran).toEqual(['outer before', 'inner before', 'inner after', 'outer after'])
  })

  it('may change the call and the answer', async () => {
    const changed = proxied({
      interceptors: [
        async (given, next) => {
          const answer = await next({ ...given, headers: { ...given.headers, 'x-note': 'mine' } })
          answer.headers.append('set-cookie', 'c=3')
          return answer
        },
      ],
    })
    const answer = await get('listHeaders', changed)

    expect(answer.headers.getSetCookie()).toEqual(['c=3'])
    expect(await answer.json()).toMatchObject({ 'x-note': 'mine' })
  })

  it('may refuse the call', async () => {
    const refusing = proxied({
      interceptors: [
        () => {
          throw new NotFoundError({ resource: 'Session' })
        },
      ],
    })
    expect(await refused(await get('listHeaders', refusing))).toEqual([404, 'NotFoundError'])
  })
})

describe('the typed client', () => {
  const api = createApi<typeof router>({ routeMap, proxy, fetch: proxied() })

  it('calls through the proxy', async () => {
    const order = await api.getOrder.call({ params: { orderId: '7' }, query: { expand: ['x'] } })
    expect(order).toEqual({ orderId: '7', expand: ['x'] })
    expect(await api.placeOrder.call({ body: { note: 'soon' } })).toEqual({ note: 'soon' })
    expect(await api.cancelOrder.call()).toBeUndefined()
  })

  it('gets refusals of the API and of the proxy as their classes', async () => {
    const unknown = await api.getOrder.try({ params: { orderId: 'unknown' }, query: {} })
    expect(unknown).toMatchObject({
      ok: false,
      error: { name: 'NotFoundError', resource: 'Order' },
    })
    expect(unknown.ok || unknown.error).toBeInstanceOf(NotFoundError)
    await expect(api.getOrder.call({ params: { orderId: '' }, query: {} })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('an API that asks to sign again', () => {
  const asks = async (sign: ProxyCall['sign'], answers: Response[]) => {
    const sent: RequestInit[] = []
    leaveNode()
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      sent.push(init)
      return answers.shift() as Response
    })
    const signing: Interceptor = (call, next) => next({ ...call, ...(sign && { sign }) })
    const through = proxied({ interceptors: [signing] })
    const answer = await through(`${proxy}/cancelOrder`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    return { status: answer.status, sent: sent.map(({ headers }) => new Headers(headers)) }
  }
  const unavailable = (retryAfter: string) =>
    Response.json({}, { status: 503, headers: { 'retry-after': retryAfter } })
  const sign: ProxyCall['sign'] = async ({ nowMillis = 0 }) => ({
    authorization: `at ${nowMillis}`,
  })

  it('gets the call signed two seconds ahead, once', async () => {
    const before = Date.now()
    const { status, sent } = await asks(sign, [
      unavailable('0'),
      new Response(null, { status: 204 }),
    ])
    expect(status).toBe(204)
    const [first, second] = sent.map((headers) => headers.get('authorization'))
    expect([first, sent.length]).toEqual(['at 0', 2])
    expect(Number(second?.slice(3))).toBeGreaterThanOrEqual(before + 2_000)
    expect(await asks(sign, [unavailable('0'), unavailable('0')])).toMatchObject({ status: 503 })
  })

  it('is asked once where it says when to come again, or the call is not signed', async () => {
    expect((await asks(sign, [unavailable('5')])).sent).toHaveLength(1)
    expect((await asks(undefined, [unavailable('0')])).sent).toHaveLength(1)
  })
})
