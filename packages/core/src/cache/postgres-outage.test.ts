import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { minute, useOutage } from './test-postgres-outage.ts'

const outage = useOutage()
const { refusals, back, hears } = outage

describe('while PostgreSQL is down', () => {
  it('refuses everything within a second when it was killed, and is back when it is', async () => {
    await outage.server.kill()
    expect(await refusals()).toBeLessThan(1000)
    expect(await refusals()).toBeLessThan(1000)
    expect(outage.cache.isListening).toBe(false)
    await outage.server.restart()
    await back()
    await outage.cache.set('key', 'value', minute)
    expect(await outage.cache.take('key')).toBe('value')
  })

  it('notices that a listening connection has gone silent, and hears again', async () => {
    const got: string[] = []
    await outage.cache.subscribe('news', (message) => got.push(message))
    outage.server.pause()
    await vi.waitFor(() => expect(outage.cache.isListening).toBe(false), 5000)
    outage.server.resume()
    await back()
    await hears(got)
  })

  it('does not run a refused command once the server is back', async () => {
    await outage.server.kill()
    await expect(outage.cache.increment('late', minute)).rejects.toMatchObject({ status: 503 })
    await outage.server.restart()
    await back()
    expect(await outage.cache.increment('late', minute)).toBe(1)
  })

  it('is logged once when it begins and once when it ends', async () => {
    await outage.server.kill()
    await wait(1500)
    await outage.server.restart()
    await back()
    await vi.waitFor(() => expect(outage.lines.length).toBeGreaterThan(2), 8000)
    const [lost, again, ...others] = outage.lines
    expect(lost).toContain('the connection to the cache is lost')
    expect(again).toContain('the connection to the cache is back')
    expect(others).toEqual([expect.stringContaining('the cache lost its contents')])
  })

  it('tries no further once it is closed', async () => {
    await outage.server.kill()
    await outage.cache.close()
    await outage.server.restart()
    await wait(1500)
    expect(outage.lines.length).toBeLessThan(2)
    expect(outage.cache.isListening).toBe(false)
    await expect(outage.cache.get('key')).rejects.toMatchObject({ status: 503 })
    await expect(outage.cache.publish('news', 'x')).rejects.toMatchObject({ status: 503 })
  })
})
