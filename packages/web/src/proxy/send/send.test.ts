import { once } from 'node:events'
import { createServer, globalAgent, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, globalAgent as tlsAgent } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, Socket } from 'node:net'
import { setTimeout as passed } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { RouteMap } from '@svc/core/client'
import { withoutIPv6 } from '@svc/core/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authInterceptors, createRpcProxy } from '../../proxy.ts'
import { leaveNode, testSecret } from '../../test-browser.ts'
import { authority, certificate, privateKey } from '../../test-certificate.ts'

const routeMap: RouteMap = {
  read: { method: 'GET', path: '/things' },
  write: { method: 'POST', path: '/things' },
  remove: { method: 'DELETE', path: '/things' },
  named: { method: 'POST', path: '/things', headers: ['x-note', 'expect', 'content-length'] },
}

const closing: (() => void)[] = []
let logged: unknown[][] = []
beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...said) => void logged.push(said))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** An API at an address of this machine, and a page's way to it. */
async function startApi(answer: RequestListener, host = '127.0.0.1') {
  const api = createServer(answer).listen(0, host)
  await once(api, 'listening')
  closing.push(() => api.close().closeAllConnections())
  const { port } = api.address() as AddressInfo
  const apiUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { api, apiUrl, call: callTo(apiUrl) }
}

function callTo(apiUrl: string) {
  const env = { SVC_API_URL: apiUrl, SVC_AUTH_SESSION_SECRET: testSecret }
  const interceptors = [authInterceptors({ env })]
  const { POST } = createRpcProxy({ routeMap, apiUrl, interceptors })
  return (name: string, input: object = {}, signal?: AbortSignal) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(input), ...(signal && { signal }) }
    return POST(new Request(`http://web.test/api/rpc/${name}`, init))
  }
}

/** Answers a request, or closes its connection where it was kept from an earlier one. */
function losing(asked: string[]): RequestListener {
  const known = new WeakSet<Socket>()
  return (request, response) => {
    asked.push(`${request.method}`)
    if (known.has(request.socket)) request.socket.destroy()
    else response.end('{}')
    known.add(request.socket)
  }
}

const kept = () => Object.values(globalAgent.freeSockets).flat().length

describe('a connection that was kept, and that the API closes as the next call comes,', () => {
  it('loses no call that reads: it is sent again', async () => {
    const asked: string[] = []
    const { call } = await startApi(losing(asked))
    expect((await call('read')).status).toBe(200)
    await vi.waitFor(() => expect(kept()).toBeGreaterThan(0))
    expect((await call('read')).status).toBe(200)
    expect(asked).toEqual(['GET', 'GET', 'GET'])
    expect(logged).toEqual([])
  })

  it.each(['write', 'remove'])(
    'is told to the caller of %s: it is sent once, and refused',
    async (name) => {
      const asked: string[] = []
      const { call } = await startApi(losing(asked))
      expect((await call('read')).status).toBe(200)
      await vi.waitFor(() => expect(kept()).toBeGreaterThan(0))
      expect((await call(name, { body: {} })).status).toBe(503)
      await passed(20)
      expect(asked).toHaveLength(2)
      expect(logged[0]?.[1]).toBe('It closed a connection that was kept: socket hang up')
    },
  )

  it('is the only one after which a call is sent again', async () => {
    let asked = 0
    const { call } = await startApi((request) => {
      asked++
      request.socket.destroy()
    })
    expect((await call('read')).status).toBe(503)
    expect(asked).toBe(1)
  })
})

describe('a call', () => {
  it.skipIf(withoutIPv6)(`reaches an API at an address of IPv6${withoutIPv6}`, async () => {
    const { call } = await startApi(
      (request, response) => response.end(request.headers.host),
      '::1',
    )
    const answer = await call('read')
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^\[::1\]:/)])
  })

  it('reaches an API over https, and none with an untrusted certificate', async () => {
    const own = { key: privateKey, cert: certificate }
    const api = createTlsServer(own, (_request, response) => response.end('over TLS'))
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    closing.push(() => api.close().closeAllConnections())
    const call = callTo(`https://localhost:${(api.address() as AddressInfo).port}`)
    expect((await call('read')).status).toBe(503)
    expect(String(logged[0]?.[1])).toContain('unable to verify the first certificate')
    tlsAgent.options.ca = authority
    closing.push(() => delete tlsAgent.options.ca)
    expect(await (await call('read')).text()).toBe('over TLS')
  })

  it('that can’t connect is refused after ten seconds', async () => {
    // It takes the connection and says nothing, so that TLS does not begin.
    const silent = createTcpServer((socket) => closing.push(() => socket.destroy()))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closing.push(() => silent.close())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = callTo(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`)('read')
    await once(silent, 'connection')
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await asked).status).toBe(503)
    expect(logged[0]?.[1]).toBe('No connection within 10000 ms')
  })

  describe('whose answer is a stream', () => {
    /** What five minutes are in these tests: Vitest has no say over the timers of sockets. */
    const limitMillis = 300

    beforeEach(() => {
      // oxlint-disable-next-line typescript/unbound-method -- it is called on the socket
      const { setTimeout: setLimit } = Socket.prototype
      vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (
        this: Socket,
        millis,
        ...listener
      ) {
        return setLimit.call(this, millis === 300_000 ? limitMillis : millis, ...listener)
      })
    })

    it('ends it at both sides when the API says nothing for five minutes', async () => {
      const arrived = Promise.withResolvers<ServerResponse>()
      const { call } = await startApi((_request, response) => {
        response.write('one')
        arrived.resolve(response)
      })
      const answer = await call('read')
      const ended = once(await arrived.promise, 'close')
      const began = performance.now()
      await expect(answer.text()).rejects.toThrow()
      await ended
      expect(performance.now() - began).toBeLessThan(5 * limitMillis)
    })

    it('leaves it open while the API says anything, such as a comment', async () => {
      async function saySome(response: ServerResponse) {
        for (let at = 0; at < 6; at++) {
          response.write(':')
          await passed(limitMillis / 2)
        }
        response.end()
      }
      const { call } = await startApi((_request, response) => void saySome(response))
      expect(await (await call('read')).text()).toBe('::::::')
    })

    it('leaves it open while it is the browser that takes nothing', async () => {
      const piece = Buffer.alloc(4_000_000, 'a')
      const { call } = await startApi((_request, response) => response.end(piece))
      const answer = await call('read')
      await passed(3 * limitMillis)
      expect((await answer.text()).length).toBe(piece.length)
    })
  })

  it('whose browser goes away while it is sent ends at the API', async () => {
    const arrived = Promise.withResolvers<ServerResponse>()
    const { call } = await startApi((_request, response) => arrived.resolve(response))
    const browser = new AbortController()
    const answer = call('write', { body: {} }, browser.signal)
    const response = await arrived.promise
    browser.abort()
    await once(response, 'close')
    expect((await answer).status).toBe(503)
    expect(logged).toEqual([])
  })

  it('can’t set a header that says where a message ends', async () => {
    const asked = vi.fn<() => void>()
    const { call } = await startApi((_request, response) => {
      asked()
      response.end()
    })
    for (const headers of [{ expect: '100-continue' }, { 'content-length': '1' }]) {
      expect((await call('named', { body: {}, headers })).status).toBe(503)
    }
    expect(asked).not.toHaveBeenCalled()
    expect((await call('named', { body: {}, headers: { 'x-note': 'a' } })).status).toBe(200)
  })

  it('leaves its connection to the next one, after any answer', async () => {
    const ports = new Set<number | undefined>()
    const statuses = [200, 204, 304, 500]
    const { call } = await startApi((request, response) => {
      ports.add(request.socket.remotePort)
      response.writeHead(Number(request.headers['x-note'])).end()
    })
    for (const status of statuses) {
      await (await call('named', { body: {}, headers: { 'x-note': String(status) } })).text()
      await passed(5)
    }
    expect(ports.size).toBe(1)
  })
})

/** What a browser gets of the same answer, by Node's client and by `fetch`. */
async function both(answer: RequestListener) {
  const { call } = await startApi(answer)
  const got = async () => {
    const { status, headers, body } = await call('read')
    const { 'x-request-id': _, ...others } = Object.fromEntries(headers)
    const text = body === null ? null : await new Response(body).text()
    return { status, headers: others, cookies: headers.getSetCookie(), text }
  }
  const byNode = await got()
  leaveNode()
  return { byNode, byFetch: await got() }
}

const twice = 'vary: a|vary: b|etag: "a"|etag: "b"|set-cookie: a=1|set-cookie: b=ü'
const namedTwice = twice.split(/: |\|/)
const large = 'many words '.repeat(20_000)

describe('an answer is as it is by fetch', () => {
  it.each<[string, RequestListener]>([
    ['empty', (_, response) => response.writeHead(204).end()],
    ['not modified', (_, response) => response.writeHead(304, { etag: '"a"' }).end()],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/b' }).end()],
    ['a refusal', (_, response) => response.writeHead(404).end('no such thing')],
    ['long', (_, response) => response.end(large)],
    ['in pieces', (_, response) => response.write('one') && response.end('two')],
    ['with headers of one name', (_, response) => response.writeHead(200, namedTwice).end()],
    [
      'after early hints',
      (_, response) => {
        response.writeProcessing()
        response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.end('late')
      },
    ],
    [
      'in gzip',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large)),
    ],
    [
      'in deflate',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'Deflate' }).end(deflateSync('a')),
    ],
    [
      'in gzip, then in brotli',
      (_, response) =>
        response
          .writeHead(200, { 'content-encoding': 'gzip, br' })
          .end(brotliCompressSync(gzipSync(large))),
    ],
    [
      'in an unknown coding',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, rot13' }).end('nope'),
    ],
    ['in another protocol', (_, response) => response.socket?.end(switching)],
    ['of no status', (_, response) => response.socket?.end('HTTP/1.1 999 Odd\r\n\r\n')],
    ['no HTTP', (_, response) => response.socket?.end('SSH-2.0\r\n\r\n')],
    ['cut off', (_, response) => response.socket?.end(cutOff)],
  ])('%s', async (_name, answer) => {
    const { byNode, byFetch } = await both(answer)
    if (byFetch.status === 503) return expect(byNode.status).toBe(503)
    expect(byNode).toEqual(byFetch)
  })

  it('broken off in the middle', async () => {
    const { call } = await startApi((_request, response) => {
      response.write('one')
      setTimeout(() => response.destroy(), 20)
    })
    const answer = await call('read')
    await expect(answer.text()).rejects.toThrow()
  })

  it('in a coding that is broken', async () => {
    const { call } = await startApi((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end('not gzip')
    })
    expect((await call('read')).status).toBe(503)
  })

  it('in pieces that are compressed, each as it comes', async () => {
    const { createGzip, constants } = await import('node:zlib')
    const pieces = createGzip({ flush: constants.Z_SYNC_FLUSH })
    const { call } = await startApi((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      pieces.pipe(response)
      pieces.write('one')
    })
    const reader = (await call('read')).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('one')
    pieces.end('two')
    expect((await reader?.read())?.value).toBe('two')
    expect((await reader?.read())?.done).toBe(true)
  })
})

const switching =
  'HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\nother'
const cutOff = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfive'

it('the API gets the same by Node’s client and by fetch', async () => {
  const seen: unknown[] = []
  const { call } = await startApi((request, response) => {
    const { 'accept-encoding': _, connection: __, ...headers } = request.headers
    const { method, url } = request
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      seen.push({ method, url, headers, body })
      response.end('{}')
    })
  })
  const calls = async () => {
    await call('read', { query: { a: "ü '|^", b: ['1', '2'] } })
    await call('write', { body: { text: 'ü'.repeat(9) } })
    await call('write')
    await call('remove')
    await call('remove', { body: [] })
    await call('named', { body: 1, headers: { 'x-note': 'é' } })
    return seen.splice(0)
  }
  const byNode = await calls()
  leaveNode()
  expect(byNode).toEqual(await calls())
  expect(byNode).toHaveLength(6)
})
