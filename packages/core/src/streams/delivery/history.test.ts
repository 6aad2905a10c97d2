import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  type EventStreamOptions,
  t,
} from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { openTestStream, type TestStream } from '../test-stream.ts'

const soon = { interval: 5, timeout: 10_000 }

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(history?: { size: number; ttl: number }, auth?: EventStreamOptions['auth']) {
  const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
  const tock = defineEvent('tock', t.Object({ n: t.Integer() }))
  const router = defineEventRouter({ tick, tock }, history && { history })
  const server = await startTestServer(defineServer().events(router, auth && { auth }))
  running.push(server)
  const open = async (lastId?: string, { events = 'tick,tock', user = 'u1' } = {}) => {
    const issued =
      auth && (await server.fetch('/events/token', { method: 'POST', headers: { 'x-user': user } }))
    const token = issued ? `&token=${((await issued.json()) as { token: string }).token}` : ''
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    const stream = await openTestStream(
      `${server.url}/events/stream?events=${events}${token}`,
      headers,
    )
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(0), soon)
    return stream
  }
  return { ...server, tick, tock, open }
}

const recovered = (stream: TestStream) =>
  (stream.frames[0]?.data as { recovered?: boolean } | undefined)?.recovered

const lastIdOf = (stream: TestStream) => stream.frames.findLast(({ id }) => id)?.id ?? ''

const numbers = (stream: TestStream) =>
  stream.payloads().map((payload) => (payload as { n: number }).n)

const kept = { size: 100, ttl: 60_000 }

/** The id of a frame after which `tick` was emitted with these numbers. */
async function missing({ open, tick }: Awaited<ReturnType<typeof start>>, ...missed: number[]) {
  const stream = await open()
  await tick.emit({ n: 0 })
  await vi.waitFor(() => expect(numbers(stream)).toEqual([0]), soon)
  stream.close()
  for (const n of missed) await tick.emit({ n })
  return lastIdOf(stream)
}

describe('a router with history', () => {
  it('gives a client that comes again what it has missed, once, and then what comes', async () => {
    const server = await start(kept)
    const lastId = await missing(server, 1, 2, 3)
    const again = await server.open(lastId)
    await server.tick.emit({ n: 4 })
    await vi.waitFor(() => expect(numbers(again)).toEqual([1, 2, 3, 4]), soon)
    expect(recovered(again)).toBe(true)
  })

  it('says nothing of it to a client that is new', async () => {
    const { open } = await start(kept)
    const [stream, empty] = [await open(), await open('')]
    expect([recovered(stream), recovered(empty)]).toEqual([undefined, undefined])
  })

  it('says that all is there when nothing was missed', async () => {
    const server = await start(kept)
    const again = await server.open(await missing(server))
    expect([recovered(again), again.frames.length]).toEqual([true, 1])
  })

  it('keeps no more than `size`: what is too old is not made up for, and the client is told', async () => {
    const server = await start({ size: 3, ttl: 60_000 })
    const known = await server.open(await missing(server, 1, 2, 3))
    await vi.waitFor(() => expect(numbers(known)).toEqual([1, 2, 3]), soon)
    expect(recovered(known)).toBe(true)
    const unknown = await server.open(await missing(server, 1, 2, 3, 4))
    await server.tick.emit({ n: 5 })
    await vi.waitFor(() => expect(numbers(unknown)).toEqual([5]), soon)
    expect(recovered(unknown)).toBe(false)
  })

  it('keeps frames for `ttl`', async () => {
    const server = await start({ size: 100, ttl: 200 })
    const lastId = await missing(server, 1)
    await wait(250)
    const again = await server.open(lastId)
    expect([recovered(again), numbers(again)]).toEqual([false, []])
  })

  it.each([
    'nonsense',
    '0',
    '-',
    '-1',
    '00000000-1',
    'x'.repeat(50),
    '-1e3',
    '-99999999999999999999',
  ])('does not know what came after an id that is not its own: %s', async (id) => {
    const server = await start(kept)
    const [epoch] = (await missing(server, 1)).split('-')
    const again = await server.open(id.startsWith('-') && id !== '-1' ? `${epoch}${id}` : id)
    expect([recovered(again), numbers(again)]).toEqual([false, []])
  })

  it('does not know an id of the future, nor one of another server', async () => {
    const [one, other] = [await start(kept), await start(kept)]
    const lastId = await missing(one, 1)
    const future = lastId.replace(/\d+$/, '99')
    expect(recovered(await one.open(future))).toBe(false)
    expect(recovered(await other.open(lastId))).toBe(false)
  })

  it('remembers only what is asked for', async () => {
    const server = await start(kept)
    const lastId = await missing(server, 1)
    await server.tock.emit({ n: 2 })
    await server.tick.emit({ n: 3 })
    const again = await server.open(lastId, { events: 'tock' })
    await vi.waitFor(() => expect(numbers(again)).toEqual([2]), soon)
  })

  it('asks filter and recipients for what is sent again, too', async () => {
    const auth = {
      enabled: true,
      getSubject: (c: { raw: { req: { header(name: string): string | undefined } } }) =>
        c.raw.req.header('x-user'),
      filter: { tick: (subject: string, { n }: { n: number }) => subject === 'u1' || n !== 2 },
      recipients: { tock: () => 'u1' },
    }
    const server = await start(kept, auth)
    const lastId = await missing(server, 1, 2, 3)
    await server.tock.emit({ n: 4 })
    const own = await server.open(lastId, { user: 'u1' })
    const foreign = await server.open(lastId, { user: 'u2' })
    await vi.waitFor(() => expect(numbers(own)).toEqual([1, 2, 3, 4]), soon)
    await vi.waitFor(() => expect(numbers(foreign)).toEqual([1, 3]), soon)
  })

  it('leaves no gap and sends nothing twice while events come without a pause', async () => {
    const { open, tick } = await start({ size: 100_000, ttl: 60_000 })
    let sent = 0
    const enough = new AbortController()
    const sending = (async () => {
      while (!enough.signal.aborted) {
        for (let burst = 0; burst < 20; burst++) await tick.emit({ n: ++sent })
        await new Promise(setImmediate)
      }
    })()
    const got: number[] = []
    let lastId: string | undefined
    for (let round = 0; round < 30; round++) {
      const stream = await open(lastId)
      await vi.waitFor(() => expect(stream.payloads().length).toBeGreaterThan(5), soon)
      stream.close()
      if (round > 0) expect(recovered(stream)).toBe(true)
      got.push(...numbers(stream))
      lastId = lastIdOf(stream)
    }
    enough.abort()
    await sending
    const [first = 0] = got
    expect(got).toEqual(Array.from(got, (_, at) => first + at))
    expect(got.length).toBeGreaterThan(500)
  })

  it('lets go of the oldest as the newest come', async () => {
    const { open, tick } = await start({ size: 10, ttl: 60_000 })
    for (let n = 0; n < 1000; n++) await tick.emit({ n })
    const stream = await open()
    await tick.emit({ n: 1000 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1000]), soon)
    const epoch = lastIdOf(stream).replace(/\d+$/, '')
    expect(recovered(await open(`${epoch}990`))).toBe(false)
    expect(recovered(await open(`${epoch}991`))).toBe(true)
  })
})

describe('a router without history', () => {
  it('tells a client that comes again that it may have missed something', async () => {
    const server = await start()
    const again = await server.open(await missing(server, 1))
    expect([recovered(again), numbers(again)]).toEqual([false, []])
  })
})
