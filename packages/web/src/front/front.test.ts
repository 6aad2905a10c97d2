import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { BadRequestError, ForbiddenError, UnauthorizedError } from '@svc/core/client'
import { drain, listen } from '@svc/core/http'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { pageRefusal, refusePage } from '../guards/server-api.ts'
import { watchedFetch } from '../outage/outage.ts'
import { createFront } from './create-front.ts'

const handled: string[] = []
let handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
  handled.push(`${incoming.method} ${incoming.url}`)
  outgoing.end('a page')
}
const state = { isStopping: false }
const { http, url } = await listen(
  createFront((...both) => handle(...both), state),
  { port: 0, host: '127.0.0.1', limits: { requestMillis: 400, handlerMillis: 1000 } },
)
afterAll(() => drain(http))

/** Everything that comes back for these bytes until the connection is closed. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', () => resolve(answer)).on('close', () => resolve(answer))
    socket.write(text)
  })
}

const ask = (line: string, headers = '') =>
  raw(`${line} HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n${headers}\r\n`)

const upgrade = (protocol: string) => `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`

const refused: [what: string, ask: () => Promise<string>, status: number][] = [
  ['OPTIONS *', () => ask('OPTIONS *'), 400],
  ['GET *', () => ask('GET *'), 400],
  ['an absolute target', () => ask('GET http://elsewhere.test/'), 400],
  ['TRACE', () => ask('TRACE /'), 405],
  ['CONNECT', () => ask('CONNECT elsewhere.test:80'), 0],
  ['PROPFIND', () => ask('PROPFIND /'), 405],
  ['a method that is none', () => ask('SAVE /'), 400],
  ['101 parameters', () => ask(`GET /?${'a&'.repeat(100)}`), 400],
  ['7,500 parameters', () => ask(`GET /?${'a&'.repeat(7500)}`), 414],
  ['a long address', () => ask(`GET /${'a'.repeat(8192)}`), 414],
  ['a path that cannot be decoded', () => ask('GET /api/rpc/%'), 400],
  ['a path that is not UTF-8', () => ask('GET /%ff'), 400],
  ['a path with a NUL', () => ask('GET /%00'), 400],
  ['a WebSocket', () => ask('GET /', upgrade('websocket')), 400],
  ['a WebSocket, in capitals', () => ask('GET /', upgrade('WebSocket, h2c')), 400],
  ['two Hosts', () => ask('GET /', 'Host: elsewhere.test\r\n'), 400],
  ['no Host', () => raw('GET / HTTP/1.1\r\n\r\n'), 400],
  ['a Host that is none', () => raw('GET / HTTP/1.1\r\nHost: a b\r\n\r\n'), 400],
  ['headers of 20 kB', () => ask('GET /', `X-Long: ${'a'.repeat(20_000)}\r\n`), 431],
  ['5,000 headers', () => ask('GET /', 'a:b\r\n'.repeat(5000)), 431],
  ['an expectation', () => ask('GET /', 'Expect: a miracle\r\n'), 417],
  [
    'two lengths',
    () => ask('POST /', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'),
    400,
  ],
  ['HTTP/2 without asking', () => raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400],
  ['100,000 lines of garbage', () => raw('\0garbage\r\n'.repeat(100_000)), 400],
  ['headers that never end', () => raw('GET / HTTP/1.1\r\nHost: web.test\r\n'), 408],
]

describe('the front', () => {
  it.each(refused)('refuses %s, and closes the connection', async (_, send, status) => {
    handled.length = 0
    const answer = await send()
    expect(answer.slice(0, 13)).toBe(status ? `HTTP/1.1 ${status} ` : '')
    expect(handled).toEqual([])
    if ([0, 417].includes(status)) return
    expect(answer).toMatch(/^connection: close/im)
    expect(answer).toMatch(/"__type":"\w+Error","message":"[^"]+\."/)
  })

  it.each([
    ['GET /'],
    ['HEAD /login'],
    ['POST /api/rpc/login'],
    ['PUT /files/1'],
    ['DELETE /files/1'],
    ['OPTIONS /_auth/oauth2/token'],
    [`GET /?${'a=%26&'.repeat(99)}b`],
    ['GET /%25'],
    ['GET /?q=%'],
    ['GET /a%2Fb'],
  ])('passes %s on', async (line) => {
    handled.length = 0
    expect(await ask(line)).toMatch(/^HTTP\/1\.1 200 /)
    expect(handled).toEqual([line])
  })

  it('answers a client that asks for h2c in HTTP/1.1', async () => {
    const headers = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'
    const answer = raw(`GET / HTTP/1.1\r\nHost: web.test\r\n${headers}\r\n`)
    await vi.waitFor(() => expect(handled.at(-1)).toBe('GET /'))
    http.closeAllConnections()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('answers a user who opens a page with one sentence, without anything that was sent', async () => {
    const answer = await ask('GET /%ffsecret', 'Accept: text/html,*/*\r\n')
    expect(answer).toMatch(/^content-type: text\/plain; charset=utf-8/im)
    expect(answer.split('\r\n\r\n')[1]).toBe('The path is not valid.\n')
  })

  it('cuts a connection that does not wait for its answers, and serves the others', async () => {
    const before = handle
    const { promise, resolve } = Promise.withResolvers<void>()
    let running = 0
    handle = async (_incoming, outgoing) => {
      running += 1
      await promise
      outgoing.end()
    }
    const answer = await raw('GET / HTTP/1.1\r\nHost: web.test\r\n\r\n'.repeat(1000))
    resolve()
    handle = before
    expect([answer, running]).toEqual(['', 8])
    expect(await ask('GET /')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is ready until it stops, and alive for longer', async () => {
    const statusOf = async (path: string) => (await ask(`GET ${path}`)).slice(9, 12)
    expect(await statusOf('/_web/health/ready')).toBe('200')
    state.isStopping = true
    expect(await statusOf('/_web/health/ready')).toBe('503')
    expect(await statusOf('/_web/health/live')).toBe('200')
    state.isStopping = false
    expect(await statusOf('/_web/health')).toBe('404')
  })
})

/** Next reads the digest of what a page throws. */
const readAsNext = (thrown: unknown) => (thrown as { digest?: string }).digest

describe('a page that fails', () => {
  async function failing(render: () => Promise<unknown>, status = 500, type = 'text/html') {
    const before = handle
    handle = async (_incoming, outgoing) => {
      await render().catch(() => {})
      outgoing.statusCode = status
      outgoing.setHeader('content-type', type)
      outgoing.end('an error page')
    }
    const answer = await fetch(url)
    handle = before
    const said = answer.headers.get('retry-after') ?? answer.headers.get('www-authenticate')
    return [answer.status, said, await answer.text()]
  }

  it('is 503 while the API is away, with the error page of the app', async () => {
    const away = () => watchedFetch('http://127.0.0.1:1/')
    expect(await failing(away)).toEqual([503, '5', 'an error page'])
  })

  it('is 503 while the API says so of itself, and comes back when the API says', async () => {
    const api = createServer((_incoming, outgoing) =>
      outgoing.writeHead(503, { 'retry-after': '9' }).end(),
    ).listen(0)
    const { port } = api.address() as AddressInfo
    const asked = () => watchedFetch(`http://localhost:${port}`)
    expect(await failing(asked)).toEqual([503, '9', 'an error page'])
    api.closeAllConnections()
    api.close()
  })

  it('is 400 where the API has refused what its address asks for', async () => {
    const thrown = async () => readAsNext(pageRefusal(new BadRequestError()))
    expect(await failing(thrown)).toEqual([400, null, 'an error page'])
  })

  it('is 401 where the user is signed out and the API needs a session', async () => {
    const thrown = async () => readAsNext(pageRefusal(new UnauthorizedError()))
    expect(await failing(thrown)).toEqual([401, 'Bearer', 'an error page'])
  })

  it('is 403 where it says itself that it is refused', async () => {
    const refusing = async () => refusePage(new ForbiddenError())
    expect(await failing(refusing, 200)).toEqual([403, null, 'an error page'])
    // What Next's router asks for is no page.
    expect(await failing(refusing, 200, 'text/x-component')).toEqual([200, null, 'an error page'])
  })

  it('keeps its status where a part of it alone was refused, or the API is away', async () => {
    const part = async () => readAsNext(pageRefusal(new ForbiddenError()))
    expect(await failing(part, 200)).toEqual([200, null, 'an error page'])
    const away = () => watchedFetch('http://127.0.0.1:1/')
    expect(await failing(away, 200)).toEqual([200, null, 'an error page'])
  })

  it('is 500 where it has caught such a refusal, and fails for another reason', async () => {
    const caught = async () => {
      pageRefusal(new BadRequestError())
      readAsNext(new Error('a bug'))
    }
    expect(await failing(caught)).toEqual([500, null, 'an error page'])
  })

  it('is 500 for any other reason', async () => {
    expect(await failing(async () => {})).toEqual([500, null, 'an error page'])
  })

  it('is answered where the app has thrown', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const before = handle
    handle = async () => {
      throw new Error('a secret')
    }
    const answer = await ask('GET /')
    handle = before
    expect(answer).toMatch(/^HTTP\/1\.1 500 /)
    expect(answer).not.toContain('a secret')
    expect(logged).toHaveBeenCalledOnce()
    logged.mockRestore()
  })
})
