import { getUserId } from '@svc/auth/server'
import { bytesBody, defineRouter, multipartBody, route, routeMapOf, t } from '@svc/core'
import { createApi } from '@svc/core/client'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRpcProxy } from '../proxy.ts'
import { startTestWeb } from '../test-browser.ts'

const handled: string[] = []
const bound = { maxBytes: 2_000_000 }
const router = defineRouter({
  upload: route
    .post('/uploads/:name')
    .input({
      params: t.Object({ name: t.String() }),
      query: t.Object({ of: t.Optional(t.String()) }),
      body: bytesBody(bound),
    })
    .handler(async (c) => {
      const { params, query, body } = await c.data()
      handled.push(params.name)
      return { userId: getUserId(c), ...params, ...query, type: body.type, size: body.bytes.length }
    }),
  form: route
    .post('/forms')
    .input({
      body: multipartBody({
        ...bound,
        fields: t.Object({ title: t.String() }),
        files: { photo: { ...bound, types: ['image/png'] } },
      }),
    })
    .handler(async (c) => {
      const { fields, files } = (await c.data()).body
      return { userId: getUserId(c), ...fields, name: files.photo.name, size: files.photo.size }
    }),
})
const routeMap = routeMapOf(router)
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)
beforeEach(() => {
  handled.length = 0
  web.api.clock.set(new Date())
})

/** A page of the web app, and its typed client. */
async function signedInPage() {
  const user = await web.api.createUser()
  const page = web.browser()
  web.api.clock.set(new Date())
  await page.call('login', user)
  const sent: Request[] = []
  const fetchOf: typeof fetch = async (url, init) => {
    const request = new Request(`http://web.test${url as string}`, init)
    request.headers.set('cookie', page.cookieHeader())
    request.headers.set('x-svc-csrf', page.cookies.get('svc_csrf') ?? '')
    sent.push(request.clone())
    return page.keep(await web.proxy.POST(request))
  }
  const api = createApi<typeof router>({ routeMap, proxy: '/api/rpc', fetch: fetchOf })
  return { user, page, api, sent }
}

function post(headers: Record<string, string>, body: BodyInit = 'x', through = web.proxy) {
  // Streamed bodies need `duplex`, which the DOM's types do not have yet.
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return through.POST(new Request('http://web.test/api/rpc/upload', init))
}

const input = encodeURIComponent(JSON.stringify({ params: { name: 'ü/?' } }))
const code = async (answer: Response) => [answer.status, (await answer.json()).error.code]

describe('a body that isn’t JSON', () => {
  it('goes from a page through the proxy, which signs it for the user', async () => {
    const { user, api, sent } = await signedInPage()
    const answer = await api.upload.call({
      params: { name: 'ü name?' },
      query: { of: 'b' },
      body: new Blob([new Uint8Array(1_500_000)], { type: 'image/png' }),
    })
    const { userId } = user
    const told = { name: 'ü name?', of: 'b', type: 'image/png', size: 1_500_000 }
    expect(answer).toEqual({ userId, ...told })
    // An address stands in logs.
    expect(sent[0]?.url).toBe('http://web.test/api/rpc/upload')
  })

  it('may be a form with files, which the page’s own boundary parts', async () => {
    const { user, api } = await signedInPage()
    const body = new FormData()
    body.append('title', 'A title')
    const pixels = new Uint8Array(1_200_000)
    body.append('photo', new File([pixels], 'ü.png', { type: 'image/png' }))
    const { userId } = user
    const told = { title: 'A title', name: 'ü.png', size: 1_200_000 }
    expect(await api.form.call({ body })).toEqual({ userId, ...told })
  })

  it('is refused without the header that no form of another site can set', async () => {
    const { page } = await signedInPage()
    const cookie = page.cookieHeader()
    const open = web.proxyWith({ SVC_AUTH_CSRF: 'off' })
    for (const type of ['text/plain', 'multipart/form-data; boundary=b', 'application/json']) {
      const answer = await post({ cookie, 'content-type': type }, '{}', open)
      expect(await code(answer)).toEqual([415, 'UnsupportedMediaTypeError'])
    }
    expect(handled).toEqual([])
  })

  it.each([
    '%',
    '{',
    '[]',
    '{"body":1}',
    '%7B%22params%22%3A1%7D',
    '%7B%22a%22%3A1%2C%22a%22%3A1%7D',
  ])('is refused with 400 beside the input %s', async (header) => {
    expect(await code(await post({ 'x-svc-input': header }))).toEqual([400, 'BadRequestError'])
  })

  it('is refused over the bound of its route, whether or not it says its length', async () => {
    const { page } = await signedInPage()
    const headers = {
      cookie: page.cookieHeader(),
      'x-svc-csrf': page.cookies.get('svc_csrf') ?? '',
      'x-svc-input': encodeURIComponent('{"params":{"name":"a"}}'),
    }
    const large = new Blob([new Uint8Array(bound.maxBytes + 1)])
    const refused = [413, 'PayloadTooLargeError']
    const announced = { ...headers, 'content-length': String(large.size) }
    expect(await code(await post(announced, large))).toEqual(refused)
    expect(await code(await post(headers, large.stream()))).toEqual(refused)
    expect(handled).toEqual([])
  })

  it('is not read where the call is refused as forged', async () => {
    const { page } = await signedInPage()
    const pull = vi.fn<() => void>()
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const answer = await post({ cookie: page.cookieHeader(), 'x-svc-input': '%7B%7D' }, body)
    expect(answer.status).toBe(403)
    expect(pull).not.toHaveBeenCalled()
  })
})

describe('the bodies that the proxy holds', () => {
  it('have a bound together: the largest that still arrives gives way', async () => {
    const small = createRpcProxy({ routeMap, apiUrl: web.api.url, bodiesBytes: 10_000 })
    const senders: ReadableStreamDefaultController[] = []
    const slow = (bytes: number) => {
      const start = (sender: ReadableStreamDefaultController) => {
        sender.enqueue(new Uint8Array(bytes))
        senders.push(sender)
      }
      return post({ 'x-svc-input': input }, new ReadableStream({ start }), small)
    }
    const middling = slow(4_000)
    const largest = slow(5_000)
    const last = slow(3_000)
    expect(await code(await largest)).toEqual([503, 'ServiceUnavailableError'])
    senders[0]?.close()
    senders[2]?.close()
    // The name has a slash: a call that gets that far is refused when the path is made.
    expect((await middling).status).toBe(400)
    expect((await last).status).toBe(400)
    const after = createApi<typeof router>({
      routeMap,
      proxy: '/api/rpc',
      fetch: (url, init) => small.POST(new Request(`http://web.test${url as string}`, init)),
    }).upload.call({ params: { name: 'b' }, query: {}, body: new Uint8Array(9_000) })
    await expect(after).rejects.toMatchObject({ status: 401 })
  })
})
