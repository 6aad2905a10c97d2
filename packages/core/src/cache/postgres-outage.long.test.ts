import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { minute, useOutage } from './test-postgres-outage.ts'

const outage = useOutage()
const { refusals, back, hears } = outage

describe('while PostgreSQL is down', () => {
  it('refuses everything within a second while it is stalled, and is back when it goes on', async () => {
    await outage.cache.set('key', 'value', minute)
    outage.server.pause()
    expect(await refusals()).toBeLessThan(1000)
    expect(await refusals()).toBeLessThan(1000)
    await wait(2500)
    expect(await refusals()).toBeLessThan(1000)
    outage.server.resume()
    await back()
  })

  it('hears channels again after a crash, which empties the tables and counts from 1 again', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    for (let at = 0; at < 20; at++) await outage.cache.publish('news', String(at))
    await outage.cache.set('key', 'value', minute)
    await outage.server.kill()
    await outage.server.restart()
    await back()
    expect(await outage.cache.get('key')).toBeNull()
    await hears(got)
    expect(got.filter((message) => message === 'again')).toHaveLength(1)
  })

  it('tells of each interruption once, when messages leave and arrive again', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    const told: Promise<number>[] = []
    outage.cache.onInterruption(() => told.push(outage.cache.publish('news', 'back')))
    const outages = [
      { begin: () => outage.server.kill(), end: () => outage.server.restart() },
      { begin: async () => outage.server.pause(), end: async () => outage.server.resume() },
    ]
    for (const [at, { begin, end }] of outages.entries()) {
      await begin()
      await vi.waitFor(() => expect(outage.cache.isListening).toBe(false), 5000)
      await wait(300)
      expect(told).toHaveLength(at)
      await end()
      await vi.waitFor(() => expect(told).toHaveLength(at + 1), 8000)
      expect(await told[at]).toBe(1)
      await vi.waitFor(() => expect(got).toHaveLength(at + 1))
    }
    await wait(1200)
    expect(told).toHaveLength(2)
  })
})
