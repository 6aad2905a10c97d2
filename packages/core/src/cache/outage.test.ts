import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { minute, reason, useOutage } from './test-outage.ts'

const outage = useOutage()
const { refusals, back, hears } = outage

describe.skipIf(reason)(`while Redis is down${reason}`, () => {
  it('refuses everything within a second when it was killed, and is back when it is', async () => {
    await outage.server.kill()
    expect(await refusals()).toBeLessThan(1000)
    await outage.server.restart()
    await back()
    await outage.cache.set('key', 'value', minute)
    expect(await outage.cache.take('key')).toBe('value')
  })

  it('refuses a command that was under way as soon as the connection breaks', async () => {
    outage.server.pause()
    const taken = outage.cache.take('key')
    const refused = expect(taken).rejects.toMatchObject({ status: 503 })
    await outage.server.kill()
    const began = performance.now()
    await refused
    expect(performance.now() - began).toBeLessThan(200)
  })

  it('does not run a refused command once the server is back', async () => {
    await outage.server.kill()
    await expect(outage.cache.increment('late', minute)).rejects.toMatchObject({ status: 503 })
    await outage.server.restart()
    await back()
    expect(await outage.cache.increment('late', minute)).toBe(1)
  })

  it('hears subscribed channels again after an outage', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    await outage.server.kill()
    await outage.server.restart()
    await back()
    await hears(got)
  })

  it('hears them again within 5 s when only the listening connection was cut', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    const admin = new Redis(outage.server.url)
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    admin.disconnect()
    expect(await outage.cache.isUp()).toBe(true)
    await hears(got)
  })

  it('listens again even without a subscriber before the outage or during it', async () => {
    await outage.server.kill()
    await vi.waitFor(() => expect(outage.cache.isListening).toBe(false))
    await expect(outage.cache.subscribe('news', () => {})).rejects.toMatchObject({ status: 503 })
    await outage.server.restart()
    await vi.waitFor(() => expect(outage.cache.isListening).toBe(true), 5000)
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    await back()
    await hears(got)
  })

  it('listens to nothing that it was refused', async () => {
    outage.server.pause()
    await expect(outage.cache.subscribe('late', () => {})).rejects.toMatchObject({ status: 503 })
    outage.server.resume()
    await back()
    await vi.waitFor(
      async () => expect(await outage.cache.publish('late', 'message')).toBe(0),
      3000,
    )
  })

  describe('tells of an interruption', () => {
    /** What each handler that was called could do at that moment. */
    function watch() {
      const told: Promise<number>[] = []
      outage.cache.onInterruption(() => {
        const published = outage.cache.publish('news', 'back')
        // A test may end before it has left.
        published.catch(() => {})
        told.push(published)
      })
      return told
    }

    it('once, when messages leave and arrive again, after it was killed', async () => {
      const got: string[] = []
      await outage.cache.subscribe('news', (message) => got.push(message))
      const told = watch()
      await outage.server.kill()
      await wait(500)
      expect(told).toEqual([])
      await outage.server.restart()
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      expect(await told[0]).toBe(1)
      await vi.waitFor(() => expect(got).toEqual(['back']))
      await wait(1500)
      expect(told).toHaveLength(1)
    })

    it('once for each time that the listening connection was cut, and not for the other one', async () => {
      await outage.cache.subscribe('news', () => {})
      const told = watch()
      const admin = new Redis(outage.server.url)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(told).toHaveLength(2), 5000)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await back()
      await wait(500)
      expect(told).toHaveLength(2)
      admin.disconnect()
    })

    it('to the others when one of the handlers throws', async () => {
      outage.cache.onInterruption(() => {
        throw new Error('a bad listener')
      })
      const told = watch()
      await outage.server.kill()
      await outage.server.restart()
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      expect(outage.lines.join('')).toContain('a bad listener')
    })
  })

  it('leaves out a channel that has no subscribers any more', async () => {
    const got: string[] = []
    const leave = await outage.cache.subscribe('old', (message) => got.push(message))
    await outage.server.kill()
    await leave()
    await outage.server.restart()
    await back()
    expect(await outage.cache.publish('old', 'message')).toBe(0)
  })

  it('tries no further once it is closed', async () => {
    await outage.server.kill()
    await outage.cache.close()
    await wait(300)
    expect(outage.lines.length).toBeLessThan(2)
    await expect(outage.cache.get('key')).rejects.toMatchObject({ status: 503 })
  })
})
