import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { reason, useOutage } from './test-outage.ts'

const outage = useOutage()
const { refusals, back, hears } = outage

describe.skipIf(reason)(`while Redis is down${reason}`, () => {
  it('refuses everything within a second while it is stalled, and is back when it goes on', async () => {
    outage.server.pause()
    expect(await refusals()).toBeLessThan(2000)
    const began = performance.now()
    await expect(outage.cache.take('key')).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - began).toBeLessThan(1000)
    await wait(2500)
    expect(await refusals()).toBeLessThan(2000)
    outage.server.resume()
    await back()
  })

  it('does not say that it listens until every channel is back', async () => {
    const channels = Array.from({ length: 5000 }, (_, at) => `news:${at}`)
    await Promise.all(channels.map((channel) => outage.cache.subscribe(channel, () => {})))
    expect(outage.cache.isListening).toBe(true)
    const admin = new Redis(outage.server.url)
    const began = performance.now()
    for (let round = 0; round < 5; round++) {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(outage.cache.isListening).toBe(false), { interval: 1 })
      await vi.waitFor(() => expect(outage.cache.isListening).toBe(true), {
        timeout: 5000,
        interval: 1,
      })
      const counts = await admin.pubsub('NUMSUB', ...channels)
      expect(counts.filter((count) => count === 1)).toHaveLength(channels.length)
    }
    expect(performance.now() - began).toBeLessThan(25_000)
    admin.disconnect()
  })

  it('notices that a listening connection has gone silent', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    outage.server.pause()
    await vi.waitFor(() => expect(outage.lines.join('')).toContain('is lost'), 6000)
    outage.server.resume()
    await back()
    await hears(got)
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

    it('once, after it was stalled for longer than a silent connection is given', async () => {
      await outage.cache.subscribe('news', () => {})
      const told = watch()
      outage.server.pause()
      await vi.waitFor(() => expect(outage.cache.isListening).toBe(false), 5000)
      outage.server.resume()
      await vi.waitFor(() => expect(told).toHaveLength(1), 8000)
      expect(await told[0]).toBe(1)
      await wait(1500)
      expect(told).toHaveLength(1)
    })
  })

  it('is logged once when it begins and once when it ends', async () => {
    await outage.server.kill()
    await wait(1500)
    await outage.server.restart()
    await wait(1500)
    const [lost, ...others] = outage.lines
    expect(lost).toContain('the connection to the cache is lost')
    // It was empty when it came back, which either connection may find first.
    expect(others).toHaveLength(2)
    expect(others.join('')).toContain('the connection to the cache is back')
    expect(others.join('')).toContain('the cache lost its contents')
  })
})
