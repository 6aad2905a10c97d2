import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { databaseFailure } from './failures.ts'
import { type Database } from './server.ts'
import { usePair } from './test-failover.ts'
import { missingHaproxy, startTestHaproxy } from './test-haproxy.ts'

const test = usePair()
const { open } = test

/** Writes until told to stop, and keeps what was acknowledged and how the others failed. */
function writing({ pool }: Database) {
  const acknowledged: number[] = []
  const failures: unknown[] = []
  const state = { isOver: false }
  const done = (async () => {
    for (let n = 1; !state.isOver; n++) {
      await pool.query('insert into written values ($1)', [n]).then(
        () => acknowledged.push(n),
        (error: unknown) => failures.push(error),
      )
      await wait(2)
    }
  })()
  const stop = () => {
    state.isOver = true
    return done
  }
  return { acknowledged, failures, stop }
}

/** The primary ends, the standby takes over: writes go on within 5 s, and each that was acknowledged is there. */
async function expectTakeover(database: Database) {
  await database.pool.query('create table written (n int)')
  const writer = writing(database)
  await wait(300)
  await test.pair.kill()
  await vi.waitFor(async () => expect(await database.health()).toBe('down'), 2000)
  await wait(500)
  await test.pair.promote()
  const before = writer.acknowledged.length
  const began = performance.now()
  await vi.waitFor(() => expect(writer.acknowledged.length).toBeGreaterThan(before), 10_000)
  expect(performance.now() - began).toBeLessThan(5000)
  await vi.waitFor(async () => expect(await database.health()).toBe('up'), 5000)
  await writer.stop()
  const { rows } = await database.pool.query<{ n: number }>('select n from written')
  const kept = new Set(rows.map(({ n }) => n))
  expect(writer.acknowledged.filter((n) => !kept.has(n))).toEqual([])
  const statuses = writer.failures.map((failure) => databaseFailure(failure)?.status)
  expect(new Set(statuses)).toEqual(new Set([503]))
}

describe('an address of several hosts', { timeout: 60_000 }, () => {
  it('leads to the one that writes, and within 5 s to the standby that was promoted: nothing acknowledged is lost (F25)', async () => {
    await expectTakeover(await open(test.pair.url))
  })
})

describe.skipIf(missingHaproxy)(
  'one address of HAProxy' + missingHaproxy,
  { timeout: 60_000 },
  () => {
    it('leads within 5 s to the standby that was promoted: nothing acknowledged is lost (F25)', async () => {
      const haproxy = await startTestHaproxy([test.pair.primaryUrl, test.pair.standbyUrl])
      try {
        await expectTakeover(await open(haproxy.url))
      } finally {
        await haproxy.stop()
      }
    })
  },
)

describe('a standby', { timeout: 60_000 }, () => {
  it('in the place of the primary: health tells that it is read-only (F25)', async () => {
    const database = await open(test.pair.standbyUrl)
    expect(await database.health()).toBe('read_only')
    expect(await database.isUp()).toBe(false)
    const failure = await database.pool.query('create table t ()').catch((error) => error)
    expect(databaseFailure(failure)?.status).toBe(503)
    await test.pair.kill()
    await test.pair.promote()
    await vi.waitFor(async () => expect(await database.health()).toBe('up'), 5000)
  })
})
