import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Type as t } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cache } from '../cache/cache.ts'
import { createMemoryCache } from '../cache/memory.ts'
import { connectCache } from '../cache/server.ts'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { createLogger } from '../observation/logger.ts'
import { connectEvents } from './connect-events.ts'
import { defineEvent } from './event.ts'
import { noRedis } from './test-broadcast.ts'

const log = createLogger({ level: 'silent' })
const told = { timeout: 8000, interval: 20 }

let closers: (() => Promise<void>)[]
beforeEach(() => {
  closers = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.toReversed()) await close()
})

/** An instance with an event of its own making: what it heard, and how often it was told of a gap. */
async function startInstance(cache: Cache, name = 'counted') {
  const event = defineEvent(name, t.Object({ at: t.Number() }))
  const events = connectEvents({ log, cache })
  closers.push(events.close)
  const got: (number | 'gap')[] = []
  events.within(() => event.subscribe(({ at }) => got.push(at)))
  events.gaps?.subscribe(() => got.push('gap'))
  await events.wired()
  const emit = (at: number) => events.within(() => event.emit({ at }))
  const gaps = () => got.filter((each) => each === 'gap').length
  return { ...events, got, gaps, emit }
}

describe.skipIf(noRedis)(`a gap in what comes over Redis${noRedis}`, () => {
  let redis: TestRedis
  beforeEach(async () => {
    redis = await startTestRedis()
  })
  afterEach(() => redis.stop())

  async function connect() {
    const cache = await connectCache(redis.url, { log })
    closers.unshift(() => cache.close())
    return startInstance(cache)
  }

  async function killListeners() {
    const admin = new Redis(redis.url)
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    admin.disconnect()
  }

  it('is told when the listening connection is back', async () => {
    const [here, there] = [await connect(), await connect()]
    await killListeners()
    await vi.waitFor(() => expect([here.gaps(), there.gaps()]).toEqual([1, 1]), told)
    await here.emit(1)
    await vi.waitFor(() =>
      expect([here.got, there.got]).toEqual([
        ['gap', 1],
        ['gap', 1],
      ]),
    )
  })

  it('is told once when Redis is back, however many events of other instances were missed', async () => {
    const instances = [await connect(), await connect(), await connect()]
    await redis.kill()
    for (let at = 1; at <= 50; at++) for (const { emit } of instances) await emit(at)
    await wait(1000)
    expect(instances.map(({ gaps }) => gaps())).toEqual([0, 0, 0])
    await redis.restart()
    await vi.waitFor(() => expect(instances.map(({ gaps }) => gaps())).toEqual([1, 1, 1]), told)
    // Nothing is missed from then on.
    for (const [at, { emit }] of instances.entries()) await emit(100 + at)
    const since = ({ got }: { got: unknown[] }) => got.slice(got.indexOf('gap') + 1).map(Number)
    await vi.waitFor(() =>
      expect(instances.map((each) => since(each).toSorted((a, b) => a - b))).toEqual(
        instances.map(() => [100, 101, 102]),
      ),
    )
    await wait(1500)
    expect(instances.map(({ gaps }) => gaps())).toEqual([1, 1, 1])
  }, 20_000)

  it('is told once after Redis was stalled', async () => {
    const [here, there] = [await connect(), await connect()]
    redis.pause()
    const emitting = (async () => {
      for (let at = 1; at <= 20; at++) await here.emit(at)
    })()
    await wait(5000)
    redis.resume()
    await emitting
    await vi.waitFor(() => expect([here.gaps(), there.gaps()]).toEqual([1, 1]), told)
    await wait(2000)
    expect([here.gaps(), there.gaps()]).toEqual([1, 1])
  }, 25_000)
})

/** The memory of this process as what instances share, and a link of each to it that a test can cut. */
function sharedMemory() {
  const memory = createMemoryCache({ log })
  closers.push(() => memory.close())
  return () => {
    const link = {
      isCut: false,
      isDeaf: false,
      back: new Set<() => void>(),
      subscribe: ((...given) => memory.subscribe(...given)) as Cache['subscribe'],
      publish: ((...given) => memory.publish(...given)) as Cache['publish'],
    }
    const cache: Cache = {
      ...memory,
      shared: true,
      get isListening() {
        return !link.isDeaf
      },
      publish: async (channel, message) => {
        if (link.isCut) throw new Error('It cannot publish.')
        return link.publish(channel, message)
      },
      subscribe: (channel, handler) => link.subscribe(channel, handler),
      onInterruption(handler) {
        link.back.add(handler)
        return () => void link.back.delete(handler)
      },
    }
    return { link, cache }
  }
}

describe('a gap in what comes from an instance that could not publish', () => {
  async function startTwo() {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
    const open = sharedMemory()
    const { link, cache } = open()
    const here = await startInstance(cache)
    const { link: linkThere, cache: cacheThere } = open()
    const there = await startInstance(cacheThere)
    return { link, here, there, linkThere }
  }

  it('is said by that instance as soon as it can, and told to the streams of the others', async () => {
    const { link, here, there } = await startTwo()
    link.isCut = true
    await here.emit(1)
    await here.emit(2)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(there.got).toEqual([])
    link.isCut = false
    await vi.advanceTimersByTimeAsync(2000)
    await here.emit(3)
    expect([here.got, there.got]).toEqual([
      [1, 2, 3],
      ['gap', 3],
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([here.gaps(), there.gaps()]).toEqual([0, 1])
  })

  it('is said when its breaker lets it publish again, which needs no further emission', async () => {
    const { link, here, there } = await startTwo()
    link.isCut = true
    for (let at = 1; at <= 3; at++) await here.emit(at)
    link.isCut = false
    await here.emit(4)
    await vi.advanceTimersByTimeAsync(9000)
    await here.emit(5)
    expect(there.got).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    expect(there.got).toEqual(['gap'])
    await here.emit(6)
    expect([here.got, there.got]).toEqual([
      [1, 2, 3, 4, 5, 6],
      ['gap', 6],
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(there.gaps()).toBe(1)
  })

  it('is said at once when its link is known to be back', async () => {
    const { link, here, there } = await startTwo()
    link.isCut = true
    for (let at = 1; at <= 5; at++) await here.emit(at)
    link.isCut = false
    for (const back of link.back) back()
    await vi.advanceTimersByTimeAsync(2000)
    expect([here.gaps(), there.gaps()]).toEqual([1, 1])
  })

  it('is said for each time', async () => {
    const { link, here, there } = await startTwo()
    for (const at of [1, 2, 3]) {
      link.isCut = true
      await here.emit(at)
      link.isCut = false
      await vi.advanceTimersByTimeAsync(3000)
      expect(there.gaps()).toBe(at)
    }
  })

  it('is said again for what was missed while it was said', async () => {
    const { link, here, there } = await startTwo()
    const { publish } = link
    link.isCut = true
    for (let at = 1; at <= 3; at++) await here.emit(at)
    link.isCut = false
    // It reaches the others at once, and this instance learns so three seconds later.
    link.publish = async (channel, message) => {
      const reached = await publish(channel, message)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      return reached
    }
    await vi.advanceTimersByTimeAsync(12_000)
    expect(there.got).toEqual(['gap'])
    await here.emit(4)
    link.publish = publish
    await vi.advanceTimersByTimeAsync(4000)
    expect([here.got, there.got]).toEqual([
      [1, 2, 3, 4],
      ['gap', 'gap'],
    ])
  })

  it('is said after a publication that was never answered', async () => {
    const { link, here, there } = await startTwo()
    const { publish } = link
    link.publish = () => new Promise(() => {})
    const emitted = here.emit(1)
    await vi.advanceTimersByTimeAsync(500)
    link.publish = publish
    await vi.advanceTimersByTimeAsync(20_000)
    await emitted
    expect([here.got, there.got]).toEqual([[1], ['gap']])
  })

  it('is said after one that was delivered here before its time was over', async () => {
    const { link, here, there } = await startTwo()
    const { publish } = link
    link.publish = () => new Promise(() => {})
    link.isDeaf = true
    const emitted = here.emit(1)
    expect(here.got).toEqual([1])
    link.publish = publish
    await vi.advanceTimersByTimeAsync(20_000)
    await emitted
    expect(there.got).toEqual(['gap'])
  })

  it('is not told while the link of the others is down, and once when it is back', async () => {
    const { link, here, there, linkThere } = await startTwo()
    link.isCut = true
    await here.emit(1)
    link.isCut = false
    await vi.advanceTimersByTimeAsync(500)
    linkThere.isDeaf = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(there.got).toEqual([])
    linkThere.isDeaf = false
    for (const back of linkThere.back) back()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(there.got).toEqual(['gap'])
  })

  it('is told within 5 s and again later where its link comes and goes', async () => {
    const { link, here, there } = await startTwo()
    for (let at = 1; at <= 18; at++) {
      link.isCut = true
      await here.emit(at)
      link.isCut = false
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(there.gaps()).toBe(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect(there.gaps()).toBe(2)
  })

  it('is said when it closes, if it can', async () => {
    const { link, here, there } = await startTwo()
    link.isCut = true
    await here.emit(1)
    link.isCut = false
    await here.close()
    await vi.advanceTimersByTimeAsync(2000)
    expect(there.got).toEqual(['gap'])
  })
})

describe('a gap in what comes over a channel that could not be subscribed to', () => {
  const refused = () => Promise.reject(new Error('It cannot subscribe.'))

  it.each(['the channel of an event', 'the channel on which gaps are said'])(
    'is told when it is: %s',
    async (what) => {
      const open = sharedMemory()
      const there = await startInstance(open().cache)
      const { link, cache } = open()
      const subscribe = link.subscribe
      const isFailing = (channel: string) => channel.endsWith('~gap') === what.endsWith('said')
      link.subscribe = (channel, handler) =>
        isFailing(channel) ? refused() : subscribe(channel, handler)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const here = await startInstance(cache)
      await there.emit(1)
      await vi.advanceTimersByTimeAsync(15_000)
      link.subscribe = subscribe
      expect(here.gaps()).toBe(0)
      await vi.advanceTimersByTimeAsync(12_000)
      expect(here.gaps()).toBe(1)
      // What was emitted here meanwhile has not left.
      expect(there.gaps()).toBe(what.endsWith('said') ? 0 : 1)
    },
  )
})

describe('where nothing comes from other instances', () => {
  it('there is no gap to be told of', async () => {
    const { cache } = sharedMemory()()
    const alone = connectEvents({ log, cache, multiInstance: false })
    const inMemory = connectEvents({ log, cache: createMemoryCache({ log }) })
    closers.push(alone.close, inMemory.close)
    expect([alone.gaps, inMemory.gaps]).toEqual([undefined, undefined])
  })

  it('a subscriber is told of none after it has left', async () => {
    const { link, cache } = sharedMemory()()
    const { gaps, close } = connectEvents({ log, cache })
    closers.push(close)
    const hear = vi.fn<() => void>()
    gaps?.subscribe(hear)()
    for (const back of link.back) back()
    await wait(1500)
    expect(hear).not.toHaveBeenCalled()
  })
})
