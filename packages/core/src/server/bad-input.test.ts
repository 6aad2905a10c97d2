import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { route, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const router = defineRouter({
  save: route
    .post('/save')
    .input({ body: t.Any() })
    .handler(async (c) => (await c.data()).body as unknown),
  search: route
    .get('/search')
    .input({ query: t.Object({ q: t.Optional(t.String()) }) })
    .handler(async (c) => (await c.data()).query),
  broken: route.get('/broken').handler(() => {
    throw new Error('the password is hunter2')
  }),
  large: route.get('/large').handler(() => new Response(Buffer.alloc(50_000_000))),
  hangs: route.get('/hangs').handler(() => new Promise(() => {})),
})

const server = await startTestServer(
  defineServer()
    .routes(router)
    .limits({ bodyBytes: 10_000, requestMillis: 300, handlerMillis: 900 }),
)
afterAll(server.stop)

const json = { 'content-type': 'application/json' }
const send = (body: string | Buffer, headers: Record<string, string> = json) =>
  server.fetch('/save', { method: 'POST', headers, body: body as BodyInit })

async function expectRefusal(answer: Response, status: number, type: string) {
  const text = await answer.text()
  expect(answer.status).toBe(status)
  const body = JSON.parse(text)
  expect(body).toMatchObject({ __type: type, error: { code: type, message: body.message } })
  expect(answer.headers.get('x-request-id')).toBe(body.error.requestId)
  expect(text).not.toMatch(/hunter2|node_modules|at .*\.ts/)
}

describe('a body', () => {
  const malformed: Record<string, string | Buffer> = {
    'that is not JSON': '{"password":"hunter2"',
    'that is empty': '',
    'with something after it': '{} hunter2',
    'with a byte order mark': '\ufeff{}',
    'that is not UTF-8': Buffer.from([0x22, 0xff, 0x22]),
    'with a member twice': '{"a":1,"a":2}',
    'with a member twice, deep inside': '{"list":[{"x":{"a":1,"\\u0061":2}}]}',
    'that names __proto__': '{"__proto__":{"admin":true}}',
    'that names __proto__ in escapes': '{"x":{"\\u005f_proto__":1}}',
    'nested too deep': `${'['.repeat(200)}${']'.repeat(200)}`,
    'nested very deep': '['.repeat(9_000),
  }
  for (const [what, body] of Object.entries(malformed)) {
    it(`${what} is refused`, async () => {
      await expectRefusal(await send(body), 400, 'BadRequestError')
    })
  }

  it('that only looks like it has doubles is taken', async () => {
    const value = {
      a: ':":',
      b: { a: '{"a":1,"a":2}' },
      'c"d': ['\\', '\\"'],
      e: [{ a: 1 }, { a: 1 }],
    }
    const answer = await send(JSON.stringify(value))

    expect(await answer.json()).toEqual(value)
  })

  it('of another type is refused', async () => {
    await expectRefusal(
      await send('a=hunter2', { 'content-type': 'text/plain' }),
      415,
      'UnsupportedMediaTypeError',
    )
    const untyped = await server.fetch('/save', { method: 'POST', body: Buffer.from('{}') })
    await expectRefusal(untyped, 415, 'UnsupportedMediaTypeError')
  })

  it('of a JSON type with parameters is taken', async () => {
    const answer = await send('{"a":1}', {
      'content-type': 'application/merge-patch+json; charset=utf-8',
    })

    expect(answer.status).toBe(200)
  })

  it('in an encoding is refused', async () => {
    await expectRefusal(
      await send('{}', { ...json, 'content-encoding': 'gzip' }),
      415,
      'UnsupportedMediaTypeError',
    )
  })

  it('over the limit is refused by its announced length and by its real one', async () => {
    const large = JSON.stringify('x'.repeat(10_001))
    await expectRefusal(await send(large), 413, 'PayloadTooLargeError')
    const chunked = await raw(
      `POST /save HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n${'x'.repeat(4095)}\r\nfff\r\n${'x'.repeat(4095)}\r\nfff\r\n${'x'.repeat(4095)}\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
    expect(chunked).toMatch(/^connection: close/im)
  })

  it('that arrives too slowly is answered 408', async () => {
    const answer = await raw(
      'POST /save HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
    )

    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"__type":"RequestTimeoutError"')
  })
})

describe('a request', () => {
  it('with broken percent-encoding in its query is refused', async () => {
    await expectRefusal(await server.fetch('/search?q=%zz'), 400, 'BadRequestError')
    await expectRefusal(await server.fetch('/search?__proto__=1'), 400, 'BadRequestError')
  })

  it('to nowhere is answered 404 in the envelope', async () => {
    await expectRefusal(await server.fetch('/nowhere/hunter2'), 404, 'NotFoundError')
  })

  it('that is not HTTP is answered 400 in the envelope', async () => {
    const answer = await raw('NONSENSE\r\n\r\n')

    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"__type":"BadRequestError"')
  })

  it('with a Host that is none is answered 400 in the envelope', async () => {
    const answer = await raw('GET /search HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')

    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"__type":"BadRequestError"')
  })

  it('with headers over 16 KiB is answered 431', async () => {
    const answer = await raw(
      `GET /search HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
    )

    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('whose handler fails is answered 500 without a word of why; the log knows', async () => {
    const answer = await server.fetch('/broken')
    const body = await answer.clone().json()

    await expectRefusal(answer, 500, 'Error')
    expect(body).toMatchObject({ message: 'Internal Server Error' })
    const entry = server.logged.find(({ requestId }) => requestId === body.error.requestId)
    expect(JSON.stringify(entry)).toContain('the password is hunter2')
  })

  it('whose handler never answers is answered 503', async () => {
    await expectRefusal(await server.fetch('/hangs'), 503, 'ServiceUnavailableError')
  })

  it('whose answer the client does not read is cut off', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname, () => {
      socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
    })
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
    // Half as long again as a handler may take (see listen.ts), twice: Node asks again before it gives a writer up.
    await new Promise((resolve) => setTimeout(resolve, 4500))
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    await closed

    expect(received).toBeLessThan(50_000_000)
  })

  it('keeps a well-formed request id and replaces any other', async () => {
    const ask = async (id: string) => {
      const answer = await server.fetch('/search', { headers: { 'x-request-id': id } })
      return answer.headers.get('x-request-id')
    }

    expect(await ask('trace-1234.5')).toBe('trace-1234.5')
    expect(await ask('short')).not.toBe('short')
    expect(await ask('with spaces in it')).not.toBe('with spaces in it')
  })

  it('that asks for problem+json gets the same facts as RFC 9457', async () => {
    const answer = await server.fetch('/nowhere', {
      headers: { accept: 'application/problem+json' },
    })

    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Route not found',
      code: 'NotFoundError',
      resource: 'Route',
      requestId: expect.any(String),
    })
  })
})

function raw(request: string) {
  const { hostname, port } = new URL(server.url)
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}
