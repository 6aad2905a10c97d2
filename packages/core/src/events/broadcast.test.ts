import { Type as t } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineEvent } from './event.ts'
import type { EventCache } from './event-cache.ts'
import { noRedis, upTo, useTestBroadcast } from './test-broadcast.ts'

const test = useTestBroadcast()
const dated = () => defineEvent('dated', z.object({ on: z.date() }))

/** A cache that an application might bring, with what is wrong with it. */
function brought(faults: Partial<EventCache> = {}) {
  const handlers: ((message: string) => void)[] = []
  const cache = {
    channels: [] as string[],
    published: [] as [channel: string, message: string][],
    tell: (message: string) => handlers.forEach((handler) => handler(message)),
    publish: async (channel: string, message: string) => {
      cache.published.push([channel, message])
      cache.tell(message)
    },
    subscribe: async (channel: string, handler: (message: string) => void) => {
      cache.channels.push(channel)
      handlers.push(handler)
    },
    ...faults,
  }
  return cache
}

describe('useCache', () => {
  it('is awaited for the event, which every instance then hears (E-013)', async () => {
    const cache = brought()
    const here = defineEvent('counted', t.Object({ at: t.Number() }))
    const wired = here.useCache(cache)
    expect(wired).toBeInstanceOf(Promise)
    expect(await wired).toBe(here)
    const there = await test.instance(cache)
    await here.emit({ at: 1 })
    expect(there.got).toEqual([1])
  })

  it.skipIf(noRedis)(`is heard by every instance over Redis (E-013)${noRedis}`, async () => {
    const here = defineEvent('counted', t.Object({ at: t.Number() }))
    await here.useCache(await test.connect())
    const there = await test.instance()
    await here.emit({ at: 1 })
    await vi.waitFor(() => expect(there.got).toEqual([1]))
  })

  it('is logged and ignored the second time (E-014)', async () => {
    const [first, second] = [brought(), brought()]
    const here = await test.instance(first)
    await here.event.useCache(second)
    expect(test.said('broadcast already')).toBe(1)
    await here.event.emit({ at: 1 })
    expect([first.published.length, second.channels, here.got]).toEqual([1, [], [1]])
  })

  it('is ignored the second time also while the first is under way (E-014)', async () => {
    const [first, second] = [brought(), brought()]
    const event = defineEvent('twice')
    await Promise.all([event.useCache(first), event.useCache(second)])
    expect([first.channels, second.channels]).toEqual([['svc:sse:twice'], []])
  })

  it('takes any cache that can publish and subscribe (E-015)', async () => {
    const cache = brought()
    const [here, there] = [await test.instance(cache), await test.instance(cache)]
    await here.event.emit({ at: 1 })
    expect([here.got, there.got]).toEqual([[1], [1]])
  })

  it('says what is wrong when the channel cannot be subscribed to, and may be tried again', async () => {
    const down = new Error('down')
    const event = defineEvent('later')
    const handler = vi.fn()
    event.subscribe(handler)
    await expect(event.useCache(brought({ subscribe: () => Promise.reject(down) }))).rejects.toBe(
      down,
    )
    await event.emit()
    expect(handler).toHaveBeenCalledOnce()
    const cache = brought()
    await event.useCache(cache)
    await event.emit()
    expect([cache.published.length, handler.mock.calls.length]).toEqual([1, 2])
  })

  it('keeps an emission waiting that comes while it is under way', async () => {
    const cache = brought()
    const event = defineEvent('early')
    const wired = event.useCache(cache)
    await event.emit()
    expect(cache.published).toEqual([['svc:sse:early', 'null']])
    await wired
  })
})

describe.skipIf(noRedis)(`an emission with a cache${noRedis}`, () => {
  it('is its payload as JSON on the channel of its name, and nothing else (E-017, E-025)', async () => {
    const cache = await test.connect()
    const messages: string[] = []
    await cache.subscribe('svc:sse:counted', (message) => messages.push(message))
    const { event } = await test.instance()
    await event.emit({ at: 1 })
    await vi.waitFor(() => expect(messages).toEqual(['{"at":1}']))
  })

  it('reaches handlers of its own instance when it comes back, and once (E-018)', async () => {
    let tell = () => {}
    const cache: ReturnType<typeof brought> = brought({
      publish: async (_, message) => {
        tell = () => cache.tell(message)
        return 1
      },
    })
    const here = await test.instance(cache)
    await here.event.emit({ at: 1 })
    expect(here.got).toEqual([])
    tell()
    expect(here.got).toEqual([1])
  })

  it('reaches each instance once, over Redis (E-018, E-025)', async () => {
    const [here, there] = [await test.instance(), await test.instance()]
    for (const at of upTo(20)) await (at % 2 ? here : there).event.emit({ at })
    await vi.waitFor(() => expect([here.got, there.got]).toEqual([upTo(20), upTo(20)]))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect([here.got.length, there.got.length]).toEqual([20, 20])
  })

  it('does not wait for handlers once it is published', async () => {
    const { event } = await test.instance()
    event.subscribe(() => new Promise(() => {}))
    await event.emit({ at: 1 })
  })

  it('has the same JSON shape for handlers here and elsewhere (E-020)', async () => {
    const cache = brought()
    const got: unknown[] = []
    const events = [dated(), dated()]
    for (const event of events) {
      event.subscribe((payload) => got.push(payload))
      await event.useCache(cache)
    }
    await events[0]?.emit({ on: new Date(0) })
    expect(got).toEqual(upTo(2).map(() => ({ on: '1970-01-01T00:00:00.000Z' })))
  })

  it('arrives as null when it has no payload (E-020)', async () => {
    const cache = brought()
    const got: unknown[] = []
    for (const event of [defineEvent('bare'), defineEvent('bare')]) {
      event.subscribe((payload) => got.push(payload))
      await event.useCache(cache)
      await event.emit()
    }
    expect(got).toEqual([null, null, null])
  })

  it('stays here as it was when JSON cannot say it, and is logged (E-021, E-022)', async () => {
    const cache = brought()
    const [here, there] = [
      defineEvent('big', t.Object({ count: t.Unknown() })),
      defineEvent('big', t.Object({ count: t.Unknown() })),
    ]
    const [got, elsewhere] = [vi.fn(), vi.fn()]
    here.subscribe(got)
    there.subscribe(elsewhere)
    await here.useCache(cache)
    await there.useCache(cache)
    for (const _ of upTo(5)) await here.emit({ count: 1n })
    expect(got).toHaveBeenCalledTimes(5)
    expect(got).toHaveBeenLastCalledWith({ count: 1n })
    expect(elsewhere).not.toHaveBeenCalled()
    expect(test.said('not JSON')).toBe(5)
    await here.emit({ count: 2 })
    expect(elsewhere).toHaveBeenCalledExactlyOnceWith({ count: 2 })
  })

  it('survives what else is on its channel', async () => {
    const cache = await test.connect()
    const { event, got } = await test.instance()
    await cache.publish('svc:sse:counted', 'not JSON')
    await event.emit({ at: 1 })
    await vi.waitFor(() => expect(got).toEqual([1]))
    expect(test.said('not JSON')).toBe(1)
  })
})

describe('the fallback', () => {
  it('delivers here what could not be published, and says so once (E-022)', async () => {
    const cache = brought({ publish: () => Promise.reject(new Error('down')) })
    const here = await test.instance(cache)
    for (const at of upTo(50)) await here.event.emit({ at })
    expect(here.got).toEqual(upTo(50))
    expect(test.said('cannot be broadcast')).toBe(1)
    expect(test.lines).toMatchObject([{ err: { message: 'down' }, event: 'counted' }])
  })

  it('has the JSON shape too, also when nothing is tried any more (E-020)', async () => {
    const publish = vi.fn(() => Promise.reject(new Error('down')))
    const event = dated()
    const got: unknown[] = []
    event.subscribe((payload) => got.push(payload))
    await event.useCache(brought({ publish }))
    for (const _ of upTo(5)) await event.emit({ on: new Date(0) })
    expect(publish).toHaveBeenCalledTimes(3)
    expect(got).toEqual(upTo(5).map(() => ({ on: '1970-01-01T00:00:00.000Z' })))
  })

  it('delivers here what reached no instance, not even this one (E-022)', async () => {
    const here = await test.instance(brought({ publish: async () => 0 }))
    await here.event.emit({ at: 1 })
    expect(here.got).toEqual([1])
  })

  it('delivers here at once while the subscription is down, and publishes for the others (E-022)', async () => {
    const cache = brought()
    const there = await test.instance(cache)
    const deaf: EventCache = { ...cache, subscribe: async () => {}, isListening: false }
    const here = await test.instance(deaf)
    await here.event.emit({ at: 1 })
    expect([here.got, there.got]).toEqual([[1], [1]])
  })

  it('waits for handlers, as without a cache', async () => {
    const here = await test.instance(brought({ publish: async () => 0 }))
    const done = vi.fn()
    here.event.subscribe(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      done()
    })
    await here.event.emit({ at: 1 })
    expect(done).toHaveBeenCalledOnce()
  })

  it('swallows the echo of what it has delivered (E-018)', async () => {
    const cache = brought({ publish: () => Promise.reject(new Error('no answer')) })
    const here = await test.instance(cache)
    await here.event.emit({ at: 1 })
    cache.tell('{"at":1}')
    cache.tell('{"at":1}')
    expect(here.got).toEqual([1, 1])
  })

  it('keeps the order: what was published and is not back goes first (E-026)', async () => {
    let fails = false
    const cache = brought({
      publish: () => (fails ? Promise.reject(new Error('down')) : Promise.resolve(1)),
    })
    const here = await test.instance(cache)
    await here.event.emit({ at: 1 })
    await here.event.emit({ at: 2 })
    fails = true
    await here.event.emit({ at: 3 })
    expect(here.got).toEqual([1, 2, 3])
    for (const at of [1, 2]) cache.tell(`{"at":${at}}`)
    expect(here.got).toEqual([1, 2, 3])
  })

  it('keeps the order when an echo is lost and the next one is not (E-026)', async () => {
    const cache = brought({ publish: async () => 1 })
    const here = await test.instance(cache)
    await here.event.emit({ at: 1 })
    await here.event.emit({ at: 2 })
    cache.tell('{"at":2}')
    expect(here.got).toEqual([1, 2])
  })

  describe('in time', () => {
    it('delivers what is not back after a second, and swallows what comes later', async () => {
      const cache = brought({ publish: async () => 1 })
      const here = await test.instance(cache)
      await here.event.emit({ at: 1 })
      await vi.waitFor(() => expect(here.got).toEqual([1]), 2000)
      cache.tell('{"at":1}')
      expect(here.got).toEqual([1])
    })

    it('expects no echo for ever: the same from another instance counts again', async () => {
      const cache = brought({ publish: async () => 1 })
      const here = await test.instance(cache)
      await here.event.emit({ at: 1 })
      await vi.waitFor(() => expect(here.got).toEqual([1]), 2000)
      await new Promise((resolve) => setTimeout(resolve, 3500))
      cache.tell('{"at":1}')
      expect(here.got).toEqual([1, 1])
    })

    it('takes nothing for late because this process was busy', async () => {
      const { event, got } = await test.instance()
      await event.emit({ at: 1 })
      const until = performance.now() + 1600
      while (performance.now() < until);
      await vi.waitFor(() => expect(got).toEqual([1]))
      expect(test.lines).toEqual([])
    })

    it('gives up a publication that hangs for 5 s, and does not try the next one (E-022, E-023)', async () => {
      const publish = vi.fn(() => new Promise<number>(() => {}))
      const here = await test.instance(brought({ publish }))
      const began = performance.now()
      await here.event.emit({ at: 1 })
      expect(performance.now() - began).toBeGreaterThan(4500)
      expect(performance.now() - began).toBeLessThan(7000)
      await here.event.emit({ at: 2 })
      expect(publish).toHaveBeenCalledOnce()
      expect(here.got).toEqual([1, 2])
    })
  })
})
