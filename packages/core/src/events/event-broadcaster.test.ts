import { Type as t } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cache } from '../cache/cache.ts'
import { connectCache } from '../cache/server.ts'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { defineServer } from '../definition/define-server.ts'
import { createLogger } from '../observation/logger.ts'
import { startTestServer } from '../testing/test-server.ts'
import { connectEvents } from './connect-events.ts'
import { defineEvent } from './event.ts'
import { defineEventRouter } from './event-router.ts'
import { noRedis, upTo } from './test-broadcast.ts'
import { defineWebSocketRouter } from './web-socket-router.ts'

let redis: TestRedis
let cache: Cache
let other: Cache
let lines: Record<string, unknown>[]
let closers: (() => Promise<void>)[]

const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })

beforeEach(async () => {
  lines = []
  closers = []
  redis = await startTestRedis()
  cache = await connectCache(redis.url, { log })
  other = await connectCache(redis.url, { log })
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
  await cache.close()
  await other.close()
  await redis.stop()
})

function counted(name = 'counted') {
  const event = defineEvent(name, t.Object({ at: t.Number() }))
  closers.push(async () => event.unsubscribeAll())
  return event
}

/** What another instance hears on a channel. */
async function listenTo(channel: string) {
  const heard: string[] = []
  await other.subscribe(channel, (message) => heard.push(message))
  return heard
}

function connect(given: { multiInstance?: boolean; channelPrefix?: string; cache?: Cache } = {}) {
  const events = connectEvents({ log, cache, ...given })
  closers.push(events.close)
  return events
}

async function serve(definition = defineServer(), env = {}) {
  const server = await startTestServer(definition, { env: { CACHE_URL: redis.url, ...env } })
  closers.push(server.stop)
  return server
}

describe.skipIf(noRedis)(`a server with a shared cache${noRedis}`, () => {
  it('broadcasts every event, without being told (E-016)', async () => {
    const heard = await listenTo('svc:sse:counted')
    const event = counted()
    await serve()
    await event.emit({ at: 1 })
    await vi.waitFor(() => expect(heard).toEqual(['{"at":1}']))
  })

  it('hears from the others before its port opens (E-016)', async () => {
    const event = counted()
    const got: unknown[] = []
    event.subscribe((payload) => got.push(payload))
    await serve()
    expect(await other.publish('svc:sse:counted', '{"at":1}')).toBe(1)
    await vi.waitFor(() => expect(got).toEqual([{ at: 1 }]))
  })

  it('hears also what is first subscribed to later, and delivers once (E-016)', async () => {
    const { wired } = connect()
    const event = counted()
    const got: number[] = []
    event.subscribe(({ at }) => got.push(at))
    await event.emit({ at: 1 })
    await wired()
    await other.publish('svc:sse:counted', '{"at":2}')
    await vi.waitFor(() => expect(got).toEqual([1, 2]))
  })

  it('keeps events here without a shared cache (E-016)', async () => {
    const heard = await listenTo('svc:sse:counted')
    const memory = await connectCache(undefined, { log })
    const published = vi.spyOn(memory, 'publish')
    connect({ cache: memory })
    const event = counted()
    const got: unknown[] = []
    event.subscribe((payload) => got.push(payload))
    await event.emit({ at: 1 })
    expect([got, published.mock.calls, heard]).toEqual([[{ at: 1 }], [], []])
    await memory.close()
  })

  it('keeps events here when a router says that it is one instance (E-027, E-029)', async () => {
    const heard = await listenTo('svc:sse:counted')
    const event = counted()
    const got: unknown[] = []
    event.subscribe((payload) => got.push(payload))
    const router = defineWebSocketRouter({ events: { event } })
    await serve(defineServer().websockets(router, { multiInstance: false }))
    await event.emit({ at: 1 })
    expect([got, heard]).toEqual([[{ at: 1 }], []])
    expect(await other.publish('svc:sse:counted', '{"at":2}')).toBe(1)
  })

  it('prefixes channels as told by the router, the variable, or not at all (E-028)', async () => {
    const [initial, named, told] = [
      await listenTo('svc:sse:counted'),
      await listenTo('shop:counted'),
      await listenTo('mine:counted'),
    ]
    const event = counted()
    const router = defineEventRouter({ event })
    const definitions = [
      { definition: defineServer(), env: {} },
      { definition: defineServer(), env: { SVC_SSE_CHANNEL_PREFIX: 'shop:' } },
      {
        definition: defineServer().events(router, { channelPrefix: 'mine:' }),
        env: { SVC_SSE_CHANNEL_PREFIX: 'shop:' },
      },
    ]
    for (const { definition, env } of definitions) {
      const server = await startTestServer(definition, { env: { CACHE_URL: redis.url, ...env } })
      await event.emit({ at: 1 })
      await server.stop()
    }
    await vi.waitFor(() => expect([initial, named, told]).toEqual(upTo(3).map(() => ['{"at":1}'])))
  })

  it('wires an event of both routers once, as the first that says it wants (E-029, E-030)', async () => {
    const heard = await listenTo('a:counted')
    const event = counted()
    const got: unknown[] = []
    event.subscribe((payload) => got.push(payload))
    const definition = defineServer()
      .events(defineEventRouter({ event }), { channelPrefix: 'a:' })
      .websockets(defineWebSocketRouter({ events: { event } }), { channelPrefix: 'b:' })
    await serve(definition)
    expect(await other.publish('a:counted', '{"at":1}')).toBe(2)
    expect(await other.publish('b:counted', '{"at":1}')).toBe(0)
    await event.emit({ at: 2 })
    await vi.waitFor(() => expect([heard.length, got.length]).toEqual([2, 2]))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(got).toEqual([{ at: 1 }, { at: 2 }])
  })

  it('carries an event for each of two in one process, over the channel of each', async () => {
    const event = counted()
    const got: number[] = []
    event.subscribe(({ at }) => got.push(at))
    const first = connect({ channelPrefix: 'a:' })
    const second = connect({ cache: other, channelPrefix: 'b:' })
    await Promise.all([first.wired(), second.wired()])
    const heard = await listenTo('b:counted')
    await first.within(() => event.emit({ at: 1 }))
    await second.within(() => event.emit({ at: 2 }))
    await vi.waitFor(() => expect(got).toEqual([1, 2]))
    expect(heard).toEqual(['{"at":2}'])
    await first.close()
    expect(await other.publish('a:counted', '{"at":9}')).toBe(0)
    await event.emit({ at: 3 })
    await vi.waitFor(() => expect([got, heard.length]).toEqual([[1, 2, 3], 2]))
  })

  it('leaves an event alone that the application has wired (E-014)', async () => {
    const event = counted()
    event.subscribe(() => {})
    await event.useCache(other)
    const subscribed = vi.spyOn(cache, 'subscribe')
    const { wired, close } = connect()
    await wired()
    await close()
    await event.emit({ at: 1 })
    expect(subscribed).not.toHaveBeenCalled()
    expect(await cache.publish('svc:sse:counted', '{"at":1}')).toBe(1)
  })

  it('keeps one event here when its channel fails, and starts with the others (E-024)', async () => {
    const [bad, good] = [counted('bad'), counted('good')]
    const got: string[] = []
    bad.subscribe(() => got.push('bad'))
    good.subscribe(() => got.push('good'))
    const failing: Cache = {
      ...cache,
      isListening: true,
      subscribe: (channel, handler) =>
        channel.endsWith('bad')
          ? Promise.reject(new Error('refused'))
          : cache.subscribe(channel, handler),
    }
    const heard = [await listenTo('svc:sse:bad'), await listenTo('svc:sse:good')]
    await connect({ cache: failing }).wired()
    await bad.emit({ at: 1 })
    await good.emit({ at: 1 })
    await vi.waitFor(() => expect(got).toEqual(['bad', 'good']))
    await vi.waitFor(() => expect(heard).toEqual([[], ['{"at":1}']]))
    expect(lines).toMatchObject([{ event: 'bad', err: { message: 'refused' } }])
  })

  it('tries again after 10 s, and emissions do not wait for that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const event = counted()
    event.subscribe(() => {})
    let open = () => {}
    const subscribe = vi
      .fn<Cache['subscribe']>()
      .mockRejectedValueOnce(new Error('refused'))
      .mockImplementationOnce(
        (channel, handler) =>
          new Promise((resolve) => {
            open = () => resolve(cache.subscribe(channel, handler))
          }),
      )
    await connect({ cache: { ...cache, isListening: true, subscribe } }).wired()
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect(subscribe).toHaveBeenCalledTimes(2)
    await event.emit({ at: 1 })
    open()
    const heard = await listenTo('svc:sse:counted')
    await vi.waitFor(async () => {
      await event.emit({ at: 2 })
      expect(heard).not.toEqual([])
    })
  })

  it('delivers what is not back when it closes, so that no emitter waits for it', async () => {
    const event = counted()
    const got: number[] = []
    event.subscribe(({ at }) => got.push(at))
    const publish = vi
      .fn<Cache['publish']>()
      .mockResolvedValueOnce(1)
      .mockImplementationOnce(() => new Promise(() => {}))
    const { wired, close } = connectEvents({ log, cache: { ...cache, isListening: true, publish } })
    await wired()
    await event.emit({ at: 1 })
    const emitted = event.emit({ at: 2 })
    await close()
    await emitted
    expect(got).toEqual([1, 2])
  })

  it('loses nothing of its own when it closes while emissions are under way', async () => {
    const event = counted()
    const got: number[] = []
    event.subscribe(({ at }) => got.push(at))
    const { wired, close } = connectEvents({ log, cache })
    await wired()
    const emitted = upTo(500).map((at) => event.emit({ at }))
    await Promise.all(emitted.slice(0, 5))
    await close()
    await Promise.all(emitted)
    expect(got.toSorted((a, b) => a - b)).toEqual(upTo(500))
    expect(await other.publish('svc:sse:counted', '{"at":1}')).toBe(0)
  })
})
