import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineEvent, defineMessage, defineServer, defineWebSocketRouter, t } from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import type { StreamAuthOptions, WebSocketOptions } from '../access/stream-options.ts'
import { gate, microtasks, testCredentials } from '../test-credentials.ts'
import {
  handshakeOf,
  opcodes,
  openRawSocket,
  openTestWebSocket,
  readServerFrames,
} from '../test-socket.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(auth: Partial<StreamAuthOptions> = {}, options: WebSocketOptions = {}) {
  const tick = defineEvent('tick')
  const tock = defineEvent('tock')
  const big = defineEvent('big', t.String())
  const seen: unknown[] = []
  const note = defineMessage(t.Unknown(), ({ payload }) => void seen.push(payload))
  const router = defineWebSocketRouter({ events: { tick, tock, big }, messages: { note } })
  const { lifecycle, standings } = testCredentials()
  const definition = defineServer()
    .lifecycle(lifecycle)
    .websockets(router, { auth: { enabled: true, ...auth }, ...options })
  const server = await startTestServer(definition)
  running.push(server)
  const url = `${server.url}/events/ws`
  async function tokenFor(user: string, key: string) {
    const headers = { 'x-user': user, 'x-key': key }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    return ((await answer.json()) as { token: string }).token
  }
  async function openAs(user: string, key = `${user}-key`) {
    const socket = await openTestWebSocket(`${url}?token=${await tokenFor(user, key)}`)
    if (socket.status === 101) {
      await vi.waitFor(() => expect(socket.dataOf('connected')).toHaveLength(1), soon)
    }
    return socket
  }
  /** One whose handshake is under way. */
  async function shakeAs(user: string) {
    const connection = await openRawSocket(server.url)
    connection.shake({ target: `/events/ws?token=${await tokenFor(user, `${user}-key`)}` })
    return connection
  }
  const { streams } = server.infrastructure
  return { ...server, streams, tick, tock, big, seen, standings, openAs, shakeAs }
}

type Raw = Awaited<ReturnType<typeof openRawSocket>>

const closeCode = (connection: Raw) => {
  const last = [...readServerFrames(connection.body())].at(-1)
  return last?.opcode === opcodes.close ? last.payload.readUInt16BE() : undefined
}

describe('a revoked credential', () => {
  it('closes its sockets with 1008, and no others', async () => {
    const server = await start()
    const [one, two, bob] = [
      await server.openAs('ann', 'one'),
      await server.openAs('ann', 'two'),
      await server.openAs('bob'),
    ]
    server.streams.end('ann', ['one'])
    expect(await one.closed).toEqual({ code: 1008, reason: 'the credential was revoked' })
    await server.tick.emit()
    await vi.waitFor(() => expect(two.dataOf('tick')).toHaveLength(1), soon)
    server.streams.end('ann')
    expect(await two.closed).toMatchObject({ code: 1008 })
    await server.tick.emit()
    await vi.waitFor(() => expect(bob.dataOf('tick')).toHaveLength(2), soon)
    expect(server.streams.size).toBe(1)
  })

  it('lets nothing more through, in neither direction', async () => {
    const server = await start()
    const connection = await server.shakeAs('ann')
    await vi.waitFor(() => expect(server.streams.size).toBe(1), soon)
    await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
    server.streams.end('ann')
    const text = Buffer.from('{"type":"note","data":1}')
    const mask = Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0])
    connection.socket.write(Buffer.concat([mask, text]))
    await server.tick.emit()
    await vi.waitFor(() => expect(closeCode(connection)).toBe(1008), soon)
    await wait(50)
    expect(server.seen).toEqual([])
    expect(closeCode(connection)).toBe(1008)
    connection.socket.destroy()
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 8])(
    'refuses the socket that it is opening, %i steps after its owner was found to be allowed',
    async (steps) => {
      const given = { streams: undefined as TestServer['infrastructure']['streams'] | undefined }
      const authorize = async (_: string, names: string[]) => {
        void microtasks(steps).then(() => given.streams?.end('ann'))
        return names
      }
      const server = await start({ authorize })
      given.streams = server.streams
      const connection = await server.shakeAs('ann')
      await vi.waitFor(() => expect(connection.status()).toBeGreaterThan(0), soon)
      await wait(20)
      // Either it was too early for a socket, or there was one to close.
      if (connection.status() === 101) expect(closeCode(connection)).toBe(1008)
      else expect(connection.status()).toBe(401)
      expect(server.streams.size).toBe(0)
      await server.tick.emit()
      await wait(20)
      expect(connection.received().toString()).not.toContain('"type":"tick"')
      connection.socket.destroy()
    },
  )

  it('cuts off a client that does not answer the close frame within two seconds', async () => {
    const server = await start()
    const connection = await server.shakeAs('ann')
    await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
    const since = performance.now()
    server.streams.end('ann')
    await connection.ended
    expect(performance.now() - since).toBeGreaterThan(1500)
    expect(performance.now() - since).toBeLessThan(3500)
    connection.socket.destroy()
  })
})

describe('a changed role', () => {
  it('asks again what its sockets may have', async () => {
    const allowed = { names: ['tick', 'tock'] }
    const server = await start({ authorize: () => allowed.names })
    const socket = await server.openAs('ann')
    allowed.names = ['tock']
    server.streams.reauthorize('ann')
    await wait(20)
    await server.tick.emit()
    await server.tock.emit()
    await vi.waitFor(() => expect(socket.dataOf('tock')).toHaveLength(1), soon)
    expect(socket.dataOf('tick')).toEqual([])
    allowed.names = []
    server.streams.reauthorize('ann')
    expect(await socket.closed).toMatchObject({ code: 1008 })
  })

  it('counts when it comes while a socket is being opened', async () => {
    const waiting = gate<string[]>()
    let asked = 0
    const authorize = () => (asked++ === 0 ? waiting.pass() : ['tock'])
    const server = await start({ authorize })
    const connection = await server.shakeAs('ann')
    await waiting.asked
    server.streams.reauthorize('ann')
    waiting.open(['tick', 'tock'])
    await vi.waitFor(() => expect(connection.body().toString()).toContain('connected'), soon)
    expect(connection.body().toString()).toContain('"events":["tock"]')
    connection.socket.destroy()
  })
})

describe('a server that stops', () => {
  const stopsWithin = async (server: TestServer, millis: number) => {
    const since = performance.now()
    await server.stop()
    expect(performance.now() - since).toBeLessThan(millis)
  }

  it('closes its sockets with 1001', async () => {
    const server = await start()
    const sockets = await Promise.all(['ann', 'bob', 'eve'].map((user) => server.openAs(user)))
    const stopped = stopsWithin(server, 1500)
    for (const { closed } of sockets) {
      expect(await closed).toEqual({ code: 1001, reason: 'the server is going down' })
    }
    await stopped
    expect(server.streams.size).toBe(0)
  })

  it('cuts off a client that does not answer the close frame, and stops all the same', async () => {
    const server = await start()
    const connection = await server.shakeAs('ann')
    await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
    await stopsWithin(server, 4000)
    expect(closeCode(connection)).toBe(1001)
    connection.socket.destroy()
  })

  it('cuts off a client that takes nothing', async () => {
    const server = await start()
    const connection = await server.shakeAs('ann')
    await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
    connection.socket.pause()
    await stopsWithin(server, 4000)
    connection.socket.destroy()
  })

  it('refuses with 503 those whose handshake is not over', async () => {
    const never = gate<string[]>()
    const server = await start({ authorize: never.pass })
    const connection = await server.shakeAs('ann')
    await never.asked
    await stopsWithin(server, 4000)
    await connection.ended
    expect(connection.status()).toBe(503)
    expect(JSON.parse(connection.body().toString())).toMatchObject({
      __type: 'ServiceUnavailableError',
    })
    never.open(['tick'])
    await wait(20)
    expect(server.streams.size).toBe(0)
    connection.socket.destroy()
  })

  it('does not wait for those whom it has refused', async () => {
    const server = await start()
    const connection = await openRawSocket(server.url)
    connection.shake()
    await vi.waitFor(() => expect(connection.status()).toBe(401), soon)
    await stopsWithin(server, 4000)
    connection.socket.destroy()
  })

  it('takes no more sockets on the connections that it has', async () => {
    const server = await start({}, {})
    const connection = await openRawSocket(server.url)
    connection.socket.write('GET /_core/health/live HTTP/1.1\r\nhost: localhost\r\n')
    await wait(20)
    const stopped = server.stop()
    await wait(20)
    connection.socket.write('\r\n')
    connection.socket.write(handshakeOf())
    await Promise.race([connection.ended, connection.closed])
    expect(connection.received().toString()).not.toContain('101 Switching')
    connection.socket.destroy()
    await stopped
  })
})

describe('a handshake that takes too long', () => {
  it('is refused with 503 when the time for an answer is over', async () => {
    const never = gate<string[]>()
    const router = defineWebSocketRouter({ events: { tick: defineEvent('tick') } })
    const { lifecycle } = testCredentials()
    const auth = { enabled: true, authorize: never.pass }
    const server = await startTestServer(
      defineServer()
        .lifecycle(lifecycle)
        .limits({ handlerMillis: 200 })
        .websockets(router, { auth }),
    )
    running.push(server)
    const headers = { 'x-user': 'ann' }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    const { token } = (await answer.json()) as { token: string }
    const { refusal } = await openTestWebSocket(`${server.url}/events/ws?token=${token}`)
    expect(refusal).toMatchObject({ status: 503, body: { __type: 'ServiceUnavailableError' } })
  })
})

describe('a client that leaves', () => {
  it.each([
    [
      'with a close frame',
      (socket: Awaited<ReturnType<typeof openTestWebSocket>>) => socket.ws.close(),
    ],
    ['without a word', (socket: Awaited<ReturnType<typeof openTestWebSocket>>) => socket.leave()],
  ])('is forgotten: %s', async (_, leave) => {
    const server = await start()
    const socket = await server.openAs('ann')
    leave(socket)
    await vi.waitFor(() => expect(server.streams.size).toBe(0), soon)
    await server.tick.emit()
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('gets nothing behind the close frame that answers its own, however much it has yet to read', async () => {
    const server = await start({}, { maxBufferedBytes: 100_000_000 })
    const connection = await server.shakeAs('ann')
    await vi.waitFor(() => expect(connection.body().length).toBeGreaterThan(0), soon)
    connection.socket.pause()
    for (let n = 0; n < 100; n++) {
      await server.big.emit('x'.repeat(200_000))
      await wait(1)
    }
    connection.socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]))
    await wait(100)
    await server.tick.emit()
    await wait(20)
    expect(server.streams.size).toBe(0)
    connection.socket.resume()
    await connection.ended
    connection.socket.destroy()
    expect([...readServerFrames(connection.body())]).toHaveLength(102)
    expect(closeCode(connection)).toBe(1000)
  })
})
