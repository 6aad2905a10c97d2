import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSSEClient } from '../client.ts'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  defineWebSocketRouter,
  type EventStreamOptions,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import type { Keeper } from './delivery/stream.ts'
import { Places } from './places.ts'
import { RouterStreams } from './router-streams.ts'
import { SseStream } from './sse/sse-stream.ts'
import { gate, testCredentials } from './test-credentials.ts'
import { openTestWebSocket } from './test-socket.ts'
import { openTestSocket, openTestStream } from './test-stream.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of running.splice(0)) await server.stop()
})

async function start(options: EventStreamOptions = {}, env = {}) {
  const credentials = testCredentials()
  const tick = defineEvent('tick', t.Object({ text: t.String() }))
  const definition = defineServer()
    .lifecycle(credentials.lifecycle)
    .events(defineEventRouter({ tick }), { auth: { enabled: true }, ...options })
    .websockets(defineWebSocketRouter({ events: { tick } }), {
      ...options,
      auth: { enabled: true },
    })
  const server = await startTestServer(definition, { env })
  running.push(server)
  const tokenOf = async (user = 'u1', key = 'k1') => {
    const headers = { 'x-user': user, 'x-key': key }
    const answer = await server.fetch('/events/token', { method: 'POST', headers })
    return ((await answer.json()) as { token: string }).token
  }
  const path = (token: string) => `/events/stream?events=tick&token=${token}`
  const openWith = (token: string, headers?: Record<string, string>) =>
    openTestStream(`${server.url}${path(token)}`, headers)
  const open = async (user?: string, headers?: Record<string, string>) =>
    openWith(await tokenOf(user), headers)
  const openSocketWith = (token: string, headers: Record<string, string> = {}) =>
    openTestWebSocket(`${server.url}/events/ws?token=${token}`, { headers })
  const openSocket = async (user?: string, headers?: Record<string, string>) =>
    openSocketWith(await tokenOf(user), headers)
  const raw = async (token: string) => {
    const connection = await openTestSocket(server.url)
    connection.get(path(token))
    return connection
  }
  /** That there is room for one, and no more. */
  const expectRoomForOne = async () => {
    const first = await vi.waitFor(async () => {
      const stream = await open()
      expect(stream.status).toBe(200)
      return stream
    }, soon)
    expect((await open()).status).toBe(503)
    first.close()
  }
  return {
    ...server,
    ...credentials,
    tick,
    tokenOf,
    openWith,
    open,
    openSocket,
    openSocketWith,
    raw,
    expectRoomForOne,
  }
}

describe('the number of event streams', () => {
  it('is limited: one beyond it is 503, with the time after which to come again', async () => {
    const server = await start({ maxConnections: 2 })
    const [first, second] = [await server.open(), await server.open()]
    const third = await server.open()
    expect(third.status).toBe(503)
    expect(third.headers.get('retry-after')).toBe('5')
    expect(third.refusal).toMatchObject({ __type: 'ServiceUnavailableError', retryAfter: 5 })
    first.close()
    const fourth = await vi.waitFor(async () => {
      const stream = await server.open()
      expect(stream.status).toBe(200)
      return stream
    }, soon)
    await server.tick.emit({ text: 'hi' })
    await vi.waitFor(() => {
      for (const stream of [second, fourth]) expect(stream.payloads()).toHaveLength(1)
    }, soon)
  })

  it('is 10,000 unless set', () => {
    const places = new Places({})
    const keeper = { forget: () => {} } as unknown as Keeper // nothing of it is asked for here
    const stream = () => new SseStream(keeper, {} as never, {} as never)
    for (let n = 0; n < 10_000; n++) expect(places.take(stream())).toBeNull()
    expect(places.take(stream())).toBe('all')
  })

  it('is limited for those who come all at once', async () => {
    const authorize = async (_: string, names: string[]) => {
      await wait(50)
      return names
    }
    const server = await start({ maxConnections: 3, auth: { enabled: true, authorize } })
    const streams = await Promise.all(Array.from({ length: 16 }, () => server.open()))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(streams.filter(({ status }) => status === 503)).toHaveLength(13)
    await vi.waitFor(() => expect(server.infrastructure.streams.size).toBe(3), soon)
  })

  it('is counted apart from that of WebSockets', async () => {
    const server = await start({ maxConnections: 1 })
    expect((await server.open()).status).toBe(200)
    const socket = await server.openSocket()
    await vi.waitFor(() => expect(socket.dataOf('connected')).toHaveLength(1), soon)
    expect((await server.open()).status).toBe(503)
    expect(await (await server.openSocket()).closed).toMatchObject({ code: 1013 })
  })

  it('is looked at before the token is spent', async () => {
    const server = await start({ maxConnections: 1 })
    const [first, token] = [await server.open(), await server.tokenOf()]
    expect((await server.openWith(token)).status).toBe(503)
    first.close()
    await vi.waitFor(async () => expect((await server.openWith(token)).status).toBe(200), soon)

    const [socket, another] = [await server.openSocket(), await server.tokenOf()]
    expect(await (await server.openSocketWith(another)).closed).toMatchObject({ code: 1013 })
    socket.leave()
    await vi.waitFor(async () => {
      const again = await server.openSocketWith(another)
      await vi.waitFor(() => expect(again.dataOf('connected')).toHaveLength(1), { timeout: 300 })
    }, soon)
  })

  it('lets a client in that was told to come again, when there is room', async () => {
    const server = await start({ maxConnections: 1 })
    const first = await server.open()
    const told: string[] = []
    const client = createSSEClient({ host: server.url, acquireToken: () => server.tokenOf() })
    client.subscribe({
      events: ['tick'],
      handlers: {},
      onOpen: () => told.push('open'),
      onError: () => told.push('error'),
      onRejected: ({ name }) => told.push(name),
      onReconnect: () => told.push('reconnect'),
      onClose: () => told.push('close'),
    })
    await vi.waitFor(() => expect(client.getState()).toBe('error'), soon)
    first.close()
    await vi.waitFor(() => expect(client.getState()).toBe('open'), { timeout: 15_000 })
    expect(told).toEqual(['reconnect', 'open'])
    client.close()
  }, 20_000)
})

describe('the number of event streams of a subject', () => {
  it('is limited where that is set: one beyond it is 429', async () => {
    const server = await start({ maxConnectionsPerSubject: 2 })
    const first = await server.open('ann')
    await server.open('ann')
    const third = await server.open('ann')
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('5')
    expect(third.refusal).toMatchObject({ __type: 'TooManyRequestsError', retryAfter: 5 })
    expect((await server.open('bob')).status).toBe(200)
    first.close()
    await vi.waitFor(async () => expect((await server.open('ann')).status).toBe(200), soon)
    expect((await server.open('ann')).status).toBe(429)
  })

  it('is any unless set', async () => {
    const server = await start()
    const streams = await Promise.all(Array.from({ length: 50 }, () => server.open('ann')))
    for (const { status } of streams) expect(status).toBe(200)
  })
})

describe('the number of streams of an address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': `203.0.113.9, ${address}` })
  const hops = { SVC_TRUSTED_PROXY_HOPS: '1' }

  it('is limited where that is set: one beyond it is 429, and its token is not spent', async () => {
    const server = await start({ maxConnectionsPerAddress: 2 }, hops)
    const first = await server.open('ann', from('192.0.2.1'))
    await server.open('bob', from('192.0.2.1'))
    const token = await server.tokenOf('cat')
    const third = await server.openWith(token, from('192.0.2.1'))
    expect(third.status).toBe(429)
    expect(third.refusal).toMatchObject({ __type: 'TooManyRequestsError', retryAfter: 5 })
    expect((await server.openWith(token, from('192.0.2.2'))).status).toBe(200)
    first.close()
    await vi.waitFor(
      async () => expect((await server.open('ann', from('192.0.2.1'))).status).toBe(200),
      soon,
    )
    expect((await server.open('ann', from('192.0.2.1'))).status).toBe(429)
  })

  it('is that of the /64 of an IPv6 address', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 }, hops)
    expect((await server.open('ann', from('2001:db8:a:b::1'))).status).toBe(200)
    expect((await server.open('ann', from('2001:db8:a:b:ffff::2'))).status).toBe(429)
    expect((await server.open('ann', from('2001:db8:a:c::1'))).status).toBe(200)
  })

  it('is that of the connection where no proxy is trusted', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 })
    expect((await server.open('ann', from('192.0.2.1'))).status).toBe(200)
    expect((await server.open('ann', from('192.0.2.2'))).status).toBe(429)
  })

  it('is limited for those who come all at once', async () => {
    const authorize = async (_: string, names: string[]) => {
      await wait(50)
      return names
    }
    const auth = { enabled: true, authorize }
    const server = await start({ maxConnectionsPerAddress: 3, auth })
    const streams = await Promise.all(Array.from({ length: 16 }, (_, at) => server.open(`u${at}`)))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(streams.filter(({ status }) => status === 429)).toHaveLength(13)
  })

  it('is limited for WebSockets, which are closed with 1013', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 }, hops)
    const first = await server.openSocket('ann', from('192.0.2.1'))
    await vi.waitFor(() => expect(first.dataOf('connected')).toHaveLength(1), soon)
    const second = await server.openSocket('bob', from('192.0.2.1'))
    expect(await second.closed).toEqual({
      code: 1013,
      reason: 'too many connections of this address',
    })
    const third = await server.openSocket('ann', from('192.0.2.2'))
    await vi.waitFor(() => expect(third.dataOf('connected')).toHaveLength(1), soon)
    first.leave()
    await vi.waitFor(async () => {
      const again = await server.openSocket('ann', from('192.0.2.1'))
      await vi.waitFor(() => expect(again.dataOf('connected')).toHaveLength(1), { timeout: 300 })
    }, soon)
  })
})

describe('the place of an event stream is free again', () => {
  const one = { maxConnections: 1, maxConnectionsPerSubject: 1, maxConnectionsPerAddress: 1 }

  it('when its client has left', async () => {
    const server = await start(one)
    for (let time = 0; time < 3; time++) await server.expectRoomForOne()
  })

  it('when its credential is revoked, and its connection serves other requests', async () => {
    const server = await start(one)
    for (let time = 0; time < 3; time++) {
      const stream = await vi.waitFor(async () => {
        const opened = await server.open()
        expect(opened.status).toBe(200)
        return opened
      }, soon)
      server.infrastructure.streams.end('u1')
      expect(await stream.ended).toBe('ended')
    }
    await server.expectRoomForOne()
  })

  it('when it is too old', async () => {
    const server = await start({ ...one, maxAge: 1000, pingInterval: 20 })
    const stream = await server.open()
    server.clock.advance('2s')
    expect(await stream.ended).toBe('ended')
    await server.expectRoomForOne()
  })

  it('when it does not keep up', async () => {
    const server = await start({ ...one, maxQueue: 1 })
    const connection = await server.raw(await server.tokenOf())
    await vi.waitFor(() => expect(connection.received()).toContain('connected'), soon)
    connection.socket.pause()
    const text = 'x'.repeat(500_000)
    await vi.waitFor(async () => {
      await server.tick.emit({ text })
      expect(server.infrastructure.streams.size).toBe(0)
    }, soon)
    await server.expectRoomForOne()
    connection.socket.destroy()
  })

  it('when it was refused, by the token or by what it may have', async () => {
    const authorize = (subject: string, names: string[]) => (subject === 'u1' ? names : [])
    const server = await start({ ...one, auth: { enabled: true, authorize } })
    for (let time = 0; time < 5; time++) {
      expect((await server.openWith('none')).status).toBe(401)
      expect((await server.open('u2')).status).toBe(403)
    }
    await server.expectRoomForOne()
  })

  it('when it fails while it is opened', async () => {
    const asked = { fails: true }
    const authorize = async (_: string, names: string[]) => {
      if (asked.fails) throw new Error('a bug')
      return names
    }
    const server = await start({ ...one, auth: { enabled: true, authorize } })
    for (let time = 0; time < 5; time++) expect((await server.open()).status).toBe(500)
    asked.fails = false
    await server.expectRoomForOne()
  })

  it('when it is revoked, or its client leaves, while it is opened', async () => {
    const asked = { gate: gate() }
    const authorize = async (_: string, names: string[]) => {
      await asked.gate.pass()
      return names
    }
    const server = await start({ ...one, auth: { enabled: true, authorize } })
    const opening = server.open()
    await asked.gate.asked
    server.infrastructure.streams.end('u1')
    asked.gate.open()
    expect((await opening).status).toBe(401)

    asked.gate = gate()
    const connection = await server.raw(await server.tokenOf())
    await asked.gate.asked
    connection.socket.resetAndDestroy()
    await vi.waitFor(() => expect(server.infrastructure.streams.size).toBe(0), soon)
    asked.gate.open()
    await server.expectRoomForOne()
  })

  it('when its client leaves while what it has missed is looked for', async () => {
    const server = await start(one)
    const looking = gate()
    const resumption = vi.spyOn(RouterStreams.prototype, 'resumption')
    resumption.mockImplementationOnce(async () => {
      await looking.pass()
      return undefined
    })
    const connection = await server.raw(await server.tokenOf())
    await looking.asked
    connection.socket.resetAndDestroy()
    await vi.waitFor(() => expect(server.infrastructure.streams.size).toBe(0), soon)
    looking.open()
    await server.expectRoomForOne()
    resumption.mockRestore()
  })

  it('when its first frame cannot be made', async () => {
    const server = await start(one)
    const opening = vi.spyOn(RouterStreams.prototype, 'opening').mockImplementationOnce(() => {
      throw new Error('a bug')
    })
    expect((await server.open()).status).toBe(500)
    opening.mockImplementationOnce(() => {
      throw new Error('a bug')
    })
    expect((await server.openSocket()).status).toBe(500)
    opening.mockRestore()
    const socket = await server.openSocket()
    await vi.waitFor(() => expect(socket.dataOf('connected')).toHaveLength(1), soon)
    await server.expectRoomForOne()
  })
})
