import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Cache } from './cache.ts'

interface Subject {
  /** Two instances of an application: the same object if instances share nothing. */
  instances: [Cache, Cache]
  stop: () => Promise<void>
}

const sixteen = Array.from({ length: 16 }, (_, at) => at)
const minute = 60_000
/** Longer than sixteen take at once on a busy machine, and short enough to wait for its end. */
const life = 1500

/** The behaviour that every cache must have. */
export function testCache(open: () => Promise<Subject>) {
  let subject: Subject
  let here: Cache
  let there: Cache
  let keys = 0
  const newKey = () => `key:${process.pid}:${keys++}`

  beforeAll(async () => {
    subject = await open()
    ;[here, there] = subject.instances
  })
  afterAll(() => subject.stop())

  /** The two instances in turn. */
  const race = <T>(run: (cache: Cache) => Promise<T>) =>
    Promise.all(sixteen.map((at) => run(at % 2 ? here : there)))

  describe('values', () => {
    it('are read back by every instance until they are deleted', async () => {
      const key = newKey()
      expect(await here.get(key)).toBeNull()
      await here.set(key, 'one', minute)
      await here.set(key, 'two', minute)
      expect(await there.get(key)).toBe('two')
      await there.delete(key)
      expect(await here.get(key)).toBeNull()
    })

    it.each([
      ['empty', ''],
      ['spread over lines', 'a\r\nb\n\0c'],
      ['not English', '열쇠 🔑 clé'],
      ['long', 'ü'.repeat(300_000)],
    ])('come back as they were when %s', async (_, value) => {
      const key = `${newKey()}:${value.slice(0, 20)}`
      await here.set(key, value, minute)
      expect(await there.get(key)).toBe(value)
      expect(await there.take(key)).toBe(value)
    })

    it('are gone when their life is over', async () => {
      const key = newKey()
      await here.set(key, 'value', 60)
      expect(await there.get(key)).toBe('value')
      await wait(90)
      expect(await there.get(key)).toBeNull()
      expect(await here.take(key)).toBeNull()
    })

    it('are accepted with a life that is over or not whole', async () => {
      const key = newKey()
      await here.set(key, 'value', -5)
      expect(await here.setIfAbsent(newKey(), 'value', 0.5)).toBe(true)
      await wait(20)
      expect(await there.get(key)).toBeNull()
    })
  })

  describe('take', () => {
    it('gives the value to one of sixteen racing takers', async () => {
      const key = newKey()
      await here.set(key, 'once', minute)
      const taken = await race((cache) => cache.take(key))
      expect(taken.filter((value) => value === 'once')).toHaveLength(1)
      expect(taken.filter((value) => value === null)).toHaveLength(15)
    })
  })

  describe('setIfAbsent', () => {
    it('is true for one of sixteen, and again after the life is over', async () => {
      const key = newKey()
      const put = await race((cache) => cache.setIfAbsent(key, 'mine', life))
      expect(put.filter(Boolean)).toHaveLength(1)
      expect(await there.setIfAbsent(key, 'late', life)).toBe(false)
      await wait(life + 30)
      expect(await there.setIfAbsent(key, 'next', 80)).toBe(true)
      expect(await here.get(key)).toBe('next')
    })
  })

  describe('spend', () => {
    const once = (since = Date.now() + minute) => ({ sinceMillis: since, ttlMillis: life })

    it('is first for one of sixteen, and again after the life is over', async () => {
      const key = newKey()
      const outcomes = (await race((cache) => cache.spend(key, once()))).map((each) => each.outcome)
      expect(outcomes.toSorted()).toEqual([...sixteen.slice(1).map(() => 'again'), 'first'])
      await wait(life + 30)
      expect(await there.spend(key, once())).toMatchObject({ outcome: 'first' })
    })

    it('tells when the cache was born and its time, the same on every instance', async () => {
      const [one, other] = await Promise.all([
        here.spend(newKey(), once()),
        there.spend(newKey(), once()),
      ])
      expect(other.bornAtMillis).toBe(one.bornAtMillis)
      expect(one.bornAtMillis).toBeLessThanOrEqual(one.nowMillis)
      expect(Math.abs(one.nowMillis - Date.now())).toBeLessThan(5_000)
    })

    it('does not know what was there before it was born, and puts nothing', async () => {
      const key = newKey()
      const { bornAtMillis } = await here.spend(newKey(), once())
      for (const since of [0, bornAtMillis - 1, bornAtMillis]) {
        expect(await there.spend(key, once(since))).toMatchObject({ outcome: 'unknown' })
      }
      expect(await here.spend(key, once(bornAtMillis + 1))).toMatchObject({ outcome: 'first' })
    })
  })

  describe('increment', () => {
    it('counts exactly while sixteen count at once', async () => {
      const key = newKey()
      const counts = await race((cache) => cache.increment(key, minute))
      expect(counts.toSorted((a, b) => a - b)).toEqual(sixteen.map((at) => at + 1))
    })

    it('starts its life at the first count and does not prolong it', async () => {
      const key = newKey()
      const began = performance.now()
      await here.increment(key, 1500)
      await wait(800)
      expect(await there.increment(key, 1500)).toBe(2)
      await wait(began + 1600 - performance.now())
      expect(await here.increment(key, 1500)).toBe(1)
    })
  })

  describe('publish', () => {
    it('reaches every subscriber of the channel, also one that subscribed twice (E-015)', async () => {
      const channel = newKey()
      const other = vi.fn<(message: string) => void>()
      const handler = vi.fn<(message: string) => void>()
      const leave = [
        await here.subscribe(channel, handler),
        await there.subscribe(channel, handler),
        await here.subscribe(channel, handler),
        await here.subscribe(`${channel}x`, other),
      ]
      const reached = await there.publish(channel, '열쇠 🔑\n')
      await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(3))
      expect(handler).toHaveBeenCalledWith('열쇠 🔑\n')
      expect(reached).toBeGreaterThan(0)
      expect(other).not.toHaveBeenCalled()
      await Promise.all(leave.map((each) => each()))
    })

    it('does not reach a subscriber that has left, and says so', async () => {
      const channel = newKey()
      const handler = vi.fn<(message: string) => void>()
      const leave = await here.subscribe(channel, handler)
      await leave()
      await leave()
      expect(await there.publish(channel, 'late')).toBe(0)
      await wait(20)
      expect(handler).not.toHaveBeenCalled()
    })

    it('reaches the others when a subscriber throws', async () => {
      const channel = newKey()
      const handler = vi.fn<(message: string) => void>()
      const leave = [
        await here.subscribe(channel, () => {
          throw new Error('a bad listener')
        }),
        await here.subscribe(channel, handler),
      ]
      await there.publish(channel, 'news')
      await vi.waitFor(() => expect(handler).toHaveBeenCalledOnce())
      await Promise.all(leave.map((each) => each()))
    })

    it('keeps the order of messages that are awaited', async () => {
      const channel = newKey()
      const got: string[] = []
      const leave = await here.subscribe(channel, (message) => got.push(message))
      for (const at of sixteen) await there.publish(channel, String(at))
      await vi.waitFor(() => expect(got).toEqual(sixteen.map(String)))
      await leave()
    })
  })

  it('tells of no interruption where there is none, nor after its handler has left', async () => {
    const told = vi.fn<() => void>()
    const leave = here.onInterruption(told)
    await here.publish(newKey(), 'message')
    leave()
    leave()
    expect(told).not.toHaveBeenCalled()
  })

  it('says that it is up', async () => {
    expect(await here.isUp()).toBe(true)
  })
}
