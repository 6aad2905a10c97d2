import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis } from '../../cache/test-redis.ts'
import type { ServerDefinition } from '../../definition/define-server.ts'
import {
  defineEvent,
  defineRouter,
  defineServer,
  defineWebSocketRouter,
  route,
} from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import type { WebSocketOptions } from '../access/stream-options.ts'
import { asUser, openRawSocket, openTestWebSocket, tokenOf } from '../test-socket.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const router = () =>
  defineWebSocketRouter({ events: { tick: defineEvent('tick'), tock: defineEvent('tock') } })

async function start(options: WebSocketOptions = {}, definition = defineServer()) {
  return serve(definition.websockets(router(), options))
}

async function serve(definition: ServerDefinition, env = {}) {
  const server = await startTestServer(definition.use([asUser]), { env })
  running.push(server)
  const open = (
    query = '',
    { protocols = [] as string[], origin = undefined as string | undefined, headers = {} } = {},
  ) =>
    openTestWebSocket(`${server.url}/events/ws${query}`, {
      protocols,
      headers: { ...headers, ...(origin !== undefined && { origin }) },
    })
  const raw = async (
    ...[handshake]: Parameters<Awaited<ReturnType<typeof openRawSocket>>['shake']>
  ) => {
    const connection = await openRawSocket(server.url)
    connection.shake(handshake)
    await vi.waitFor(() => expect(connection.status()).toBeGreaterThan(0), soon)
    return connection
  }
  return { ...server, open, raw }
}

const enabled = { auth: { enabled: true } }

describe('the events that a socket asks for', () => {
  it.each([
    '?events=',
    '?events=,',
    '?events=nope',
    '?events=tick,nope',
    '?events=constructor',
    '?events=%',
  ])(
    'are refused with 400 when they are none or unknown, and the token is not spent: %s',
    async (query) => {
      const server = await start(enabled)
      const token = await tokenOf(server, 'ann')
      const { refusal } = await server.open(`${query}&token=${token}`)
      expect(refusal).toMatchObject({ status: 400 })
      expect((await server.open(`?token=${token}`)).status).toBe(101)
    },
  )
})

describe('the token of a socket', () => {
  it('is taken from the list of protocols, and never said back (E-070)', async () => {
    const server = await start(enabled)
    const token = await tokenOf(server, 'ann')
    const connection = await server.raw({
      headers: { 'sec-websocket-protocol': `svc.token.${token}, svc.v1` },
    })
    await vi.waitFor(() => expect(connection.received().toString()).toContain('connected'), soon)
    const text = connection.received().toString()
    expect(text).toContain('Sec-WebSocket-Protocol: svc.v1\r\n')
    expect(text).not.toContain(token)
    connection.socket.destroy()
  })

  it('names no protocol to a client that did not offer ours', async () => {
    const server = await start(enabled)
    const token = await tokenOf(server, 'ann')
    const connection = await server.raw({ target: `/events/ws?token=${token}` })
    expect(connection.status()).toBe(101)
    expect(connection.received().toString()).not.toMatch(/sec-websocket-protocol/i)
    connection.socket.destroy()
  })

  it('is taken from the query too (E-070)', async () => {
    const server = await start(enabled)
    const token = await tokenOf(server, 'ann')
    expect((await server.open(`?token=${token}`)).status).toBe(101)
  })

  it('opens nothing when it is missing, unknown, in two places or used (E-055)', async () => {
    const server = await start(enabled)
    const [one, two] = [await tokenOf(server, 'ann'), await tokenOf(server, 'ann')]
    const refusals = [
      await server.open(),
      await server.open('?token='),
      await server.open('?token=unknown'),
      await server.open('', { protocols: ['svc.v1', 'svc.token.unknown'] }),
      await server.open('', { protocols: ['svc.v1', `svc.token.${one}`, `svc.token.${two}`] }),
      await server.open(`?token=${one}`, { protocols: ['svc.v1', `svc.token.${one}`] }),
      await server.open(`?token=${one}&token=${two}`),
    ]
    for (const { refusal } of refusals) {
      expect(refusal).toMatchObject({ status: 401, body: { __type: 'UnauthorizedError' } })
      expect(refusal?.body).toMatchObject({
        error: { code: 'UnauthorizedError', requestId: refusal?.headers['x-request-id'] },
      })
    }
    expect((await server.open(`?token=${one}`)).status).toBe(101)
    expect((await server.open(`?token=${one}`)).status).toBe(401)
  })

  it('opens nothing once it has expired', async () => {
    const server = await start(enabled)
    const token = await tokenOf(server, 'ann')
    server.clock.advance('30s')
    expect((await server.open(`?token=${token}`)).status).toBe(401)
  })

  it('opens nothing for a subject who may have none of the events', async () => {
    const server = await start({ auth: { enabled: true, authorize: () => [] } })
    const { refusal } = await server.open(`?token=${await tokenOf(server, 'ann')}`)
    expect(refusal).toMatchObject({ status: 403, body: { __type: 'ForbiddenError' } })
  })

  it('is answered 503 and never 401 while the store is down', async () => {
    const redis = await startTestRedis()
    const definition = defineServer().websockets(router(), enabled)
    const server = await serve(definition, { CACHE_URL: redis.url })
    const token = await tokenOf(server, 'ann')
    await redis.kill()
    const { refusal } = await server.open(`?token=${token}`)
    expect(refusal).toMatchObject({ status: 503, body: { __type: 'ServiceUnavailableError' } })
    expect(refusal?.headers).toHaveProperty('retry-after')
    expect(JSON.stringify(server.logged)).not.toContain(token)
    await redis.restart()
    await redis.stop()
  })

  it('stands in no line of the log, accepted or refused', async () => {
    const authorize = () => {
      throw new Error('a bug of the application')
    }
    const server = await start({ auth: { enabled: true, authorize } })
    const tokens = [await tokenOf(server, 'ann'), await tokenOf(server, 'ann')] as const
    const answers = [
      await server.open(`?token=${tokens[0]}`),
      await server.open('', { protocols: ['svc.v1', `svc.token.${tokens[1]}`] }),
      await server.open(`?token=${tokens[0]}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 401])
    const log = JSON.stringify(server.logged)
    expect(log).toContain('a bug of the application')
    for (const token of tokens) expect(log).not.toContain(token)
  })
})

describe('the page that a socket comes from', () => {
  it('is refused with 403 before the token is spent when it is a foreign one (E-070)', async () => {
    const server = await start(enabled)
    const token = await tokenOf(server, 'ann')
    const foreign = [
      'https://evil.example',
      'null',
      'not an origin',
      '',
      `${server.url}0`,
      `${server.url}@evil.example`,
      'http://localhost',
    ]
    for (const origin of foreign) {
      const { refusal } = await server.open(`?token=${token}`, { origin })
      expect(refusal, origin).toMatchObject({ status: 403, body: { __type: 'ForbiddenError' } })
    }
    expect((await server.open(`?token=${token}`)).status).toBe(101)
  })

  it('may connect when it is of the server itself, or listed in either place', async () => {
    const server = await start(
      { origins: ['https://app.example'] },
      defineServer().origins('https://shop.example'),
    )
    const { port } = new URL(server.url)
    for (const origin of [
      'https://app.example',
      'https://shop.example',
      server.url,
      `http://127.0.0.1:${port}`,
    ]) {
      expect((await server.open('', { origin })).status, origin).toBe(101)
    }
  })

  it('may connect when the browser reached the server under the same name', async () => {
    const server = await start()
    const headers = { host: 'Api.Example:8443' }
    const origin = 'https://api.example:8443'
    expect((await server.open('', { origin, headers })).status).toBe(101)
    expect((await server.open('', { origin: 'https://api.example', headers })).status).toBe(403)
  })

  it('may connect when the server is reached under the address that its variables name', async () => {
    const definition = defineServer().websockets(router())
    const server = await serve(definition, { SVC_API_URL: 'https://api.example' })
    expect((await server.open('', { origin: 'https://api.example' })).status).toBe(101)
  })
})

describe('what is no handshake', () => {
  it.each([
    ['another method', { method: 'POST' }],
    ['no key', { headers: { 'sec-websocket-key': undefined } }],
    ['a key that is too short', { headers: { 'sec-websocket-key': 'c2hvcnQ=' } }],
    ['no version', { headers: { 'sec-websocket-version': undefined } }],
    ['an old version', { headers: { 'sec-websocket-version': '8' } }],
    ['a version that is no number', { headers: { 'sec-websocket-version': '13, 8' } }],
    ['protocols that are no tokens', { headers: { 'sec-websocket-protocol': 'a b, c' } }],
    ['an empty protocol', { headers: { 'sec-websocket-protocol': 'svc.v1,,x' } }],
    [
      'a protocol that is offered twice',
      { headers: { 'sec-websocket-protocol': 'svc.v1, svc.v1' } },
    ],
    ['no host', { headers: { host: undefined } }],
    ['HTTP/1.0', { version: '1.0' }],
  ])('is refused with 400 in the envelope: %s', async (_, handshake) => {
    const authorize = vi.fn(() => [])
    const server = await start({ auth: { enabled: true, authorize } })
    const token = await tokenOf(server, 'ann')
    const connection = await server.raw({ target: `/events/ws?token=${token}`, ...handshake })
    await connection.ended
    expect(connection.status()).toBe(400)
    expect(JSON.parse(connection.body().toString())).toMatchObject({ __type: 'BadRequestError' })
    expect(authorize).not.toHaveBeenCalled()
    connection.socket.destroy()
  })

  it('is told which version is spoken', async () => {
    const server = await start()
    const connection = await server.raw({ headers: { 'sec-websocket-version': '25' } })
    await connection.ended
    expect(connection.received().toString()).toMatch(/^sec-websocket-version: 13\r$/m)
    connection.socket.destroy()
  })

  it.each([
    '/',
    '/events',
    '/events/ws/',
    '/events/wsx',
    '/EVENTS/WS',
    '//events/ws',
    '/events/ws;x',
  ])('is refused with 404 on another path: %s', async (target) => {
    const server = await start()
    const connection = await server.raw({ target })
    await connection.ended
    expect(connection.status()).toBe(404)
    expect(JSON.parse(connection.body().toString())).toMatchObject({ __type: 'NotFoundError' })
    connection.socket.destroy()
  })

  it('is answered in HTTP/1.1 when it would rather speak something else', async () => {
    const me = route.get('/me').handler(() => 'me')
    const server = await start({}, defineServer().routes(defineRouter({ me })))
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
    const connection = await server.raw({ target: '/me', headers })
    expect(connection.status()).toBe(200)
    connection.socket.destroy()
  })

  it('is a request like any other where there are no sockets', async () => {
    const me = route.get('/me').handler(() => 'me')
    const server = await serve(defineServer().routes(defineRouter({ me })))
    const connection = await server.raw({ target: '/me' })
    expect(connection.status()).toBe(200)
    connection.socket.destroy()
  })

  it('does not keep its connection, though the client holds on to its end', async () => {
    const server = await start(enabled)
    const connection = await server.raw()
    await connection.ended
    expect(connection.status()).toBe(401)
    // A write to a connection that is not there any more ends the writer's half too.
    const writing = setInterval(() => connection.socket.write('x'), 100)
    await connection.closed
    clearInterval(writing)
  })

  it('does not get into an answer that is still on its way', async () => {
    const slow = route.get('/slow').handler(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return 'slow'
    })
    const server = await start({}, defineServer().routes(defineRouter({ slow })))
    const connection = await openRawSocket(server.url)
    connection.socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
    connection.shake()
    await connection.ended
    connection.socket.destroy()
    expect(connection.received().toString()).not.toContain('101 Switching')
  })
})
