import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  type EventStreamOptions,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { SseStream } from './sse/sse-stream.ts'
import { openTestSocket, openTestStream, readFrames, unchunked } from './test-stream.ts'

const soon = { interval: 5, timeout: 15_000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

const tick = defineEvent('tick', t.Object({ n: t.Integer(), filler: t.String() }))

async function start(options: EventStreamOptions = {}) {
  const auth = { enabled: true, getSubject: () => 'u1' }
  const definition = defineServer().events(defineEventRouter({ tick }), { ...options, auth })
  const server = await startTestServer(definition)
  running.push(server)
  let sent = 0
  const send = async (length: number) => {
    sent += 1
    await tick.emit({ n: sent, filler: 'x'.repeat(length) })
    // Frames of one turn leave in one write; here each is a write of its own.
    await new Promise(setImmediate)
  }
  const path = async () => {
    const issued = await server.fetch('/events/token', { method: 'POST' })
    const { token } = (await issued.json()) as { token: string }
    return `/events/stream?events=tick&token=${token}`
  }
  const open = async () => openTestStream(`${server.url}${await path()}`)
  /** A reader that has stopped: the system takes a few megabytes for it before the server notices. */
  const stopped = async () => {
    const client = await openTestSocket(server.url)
    client.get(await path())
    await vi.waitFor(() => expect(client.received()).toContain('connected'), soon)
    client.socket.pause()
    return client
  }
  /** Emits until one stream of so many is left, and answers how many frames that took. */
  const sendUntil = async (left: number, length: number) => {
    for (let n = 0; n < 60_000; n++) {
      if (server.infrastructure.streams.size <= left) break
      await send(length)
    }
    return sent
  }
  return {
    ...server,
    send,
    sendUntil,
    sent: () => sent,
    open,
    stopped,
    streams: server.infrastructure.streams,
  }
}

type Client = Awaited<ReturnType<typeof openTestSocket>>

/** The numbers of the frames that have arrived whole. */
function numbers(client: Client) {
  const body = unchunked(client.received())
  const whole = body.slice(0, body.lastIndexOf('\n\n') + 2)
  return readFrames(whole).flatMap(({ id, data }) => (id ? [(data as { n: number }).n] : []))
}

/** Reads what is left until the connection ends. */
async function rest(client: Client) {
  client.socket.resume()
  await client.closed
  return numbers(client)
}

const countTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('a client that does not keep up', () => {
  it.each([
    ['the thousand of `maxQueue`', 1000, {}],
    ['`maxQueue`', 20, { maxQueue: 20 }],
  ])(
    'is cut off when more frames wait than %s, and has missed none before (E-042, E-043)',
    async (_, most, options) => {
      const { sendUntil, stopped, open } = await start(options)
      const [slow, healthy] = [await stopped(), await open()]
      const sent = await sendUntil(1, 500)
      const got = await rest(slow)
      expect(got).toEqual(countTo(got.length))
      // One of them had been taken in part, and the last was one too many.
      expect(sent - got.length).toBeGreaterThan(most)
      expect(sent - got.length).toBeLessThanOrEqual(most + 3)
      await vi.waitFor(() => expect(healthy.payloads()).toHaveLength(sent), soon)
    },
  )

  it('is cut off when more than 1 MiB waits, however few frames that are', async () => {
    const { sendUntil, stopped, open } = await start({ maxQueue: 1_000_000 })
    const [slow, healthy] = [await stopped(), await open()]
    const sent = await sendUntil(1, 20_000)
    const got = await rest(slow)
    expect(got).toEqual(countTo(got.length))
    expect((sent - got.length) * 20_000).toBeGreaterThan(1_000_000)
    expect((sent - got.length) * 20_000).toBeLessThan(1_150_000)
    await vi.waitFor(() => expect(healthy.payloads()).toHaveLength(sent), soon)
  })

  it('gets a single frame that is larger than what may wait', async () => {
    const { send, open } = await start()
    const stream = await open()
    await send(8_000_000)
    await vi.waitFor(() => expect(stream.payloads()).toHaveLength(1), soon)
  })

  it('goes on when it reads again in time, and misses nothing', async () => {
    const { send, sent, stopped } = await start({ maxQueue: 10_000 })
    const slow = await stopped()
    for (let n = 0; n < 2200; n++) await send(2000)
    slow.socket.resume()
    await wait(200)
    for (let n = 0; n < 10; n++) await send(2000)
    await vi.waitFor(() => expect(slow.received()).toContain(`{"n":${sent()},`), soon)
    expect(numbers(slow)).toEqual(countTo(sent()))
    slow.socket.destroy()
  })

  it('holds no other stream up, and no request', async () => {
    const { send, stopped, fetch: ask, open } = await start({ maxQueue: 1_000_000 })
    const slow = await Promise.all(Array.from({ length: 20 }, stopped))
    const healthy = await open()
    for (let n = 0; n < 200; n++) await send(20_000)
    const began = performance.now()
    expect((await ask('/_core/health')).status).toBe(200)
    await vi.waitFor(() => expect(healthy.payloads()).toHaveLength(200), soon)
    expect(performance.now() - began).toBeLessThan(2000)
    for (const { socket } of slow) socket.destroy()
  })

  it('is found out by a ping when nothing else is sent', async () => {
    const { send, stopped, streams } = await start({ pingInterval: 50 })
    const slow = await stopped()
    await send(8_000_000)
    await vi.waitFor(() => expect(streams.size).toBe(0), soon)
    expect(await rest(slow)).toEqual([])
  })
})

describe('what waits', () => {
  it('is counted from zero once it has been taken', async () => {
    const taken: (() => void)[] = []
    const socket = new Writable({ write: (_bytes, _encoding, done) => void taken.push(done) })
    const takeAll = async () => {
      while (socket.writableLength > 0) {
        taken.shift()?.()
        await new Promise(setImmediate)
      }
    }
    const keeper = { forget: () => {}, reauthorize: () => {} }
    const limits = { maxQueue: 4, maxBufferedBytes: 1000 }
    const given = { socket, outgoing: {} } as unknown as ConstructorParameters<typeof SseStream>[1]
    const stream = new SseStream(keeper, given, { isChunked: true, limits })
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 3; n++) stream.write(Buffer.from('frames'), 2)
      expect(stream.isOpen).toBe(true)
      await takeAll()
    }
    for (let n = 0; n < 4; n++) stream.write(Buffer.from('frames'), 2)
    expect(stream.isOpen).toBe(false)
  })
})

describe('a client that has gone', () => {
  it.each(['leaves', 'closes its half', 'breaks the connection'])(
    'is forgotten when it %s',
    async (how) => {
      const { send, stopped, streams, url } = await start()
      const gone = await stopped()
      expect(streams.size).toBe(1)
      gone.socket.resume()
      if (how === 'leaves') gone.socket.destroy()
      else if (how === 'breaks the connection') gone.socket.resetAndDestroy()
      else gone.socket.end()
      await gone.closed
      await vi.waitFor(() => expect(streams.size).toBe(0), soon)
      await send(10)
      expect((await fetch(`${url}/_core/health`)).status).toBe(200)
    },
  )
})
