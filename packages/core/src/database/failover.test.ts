import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectCache, coreMigrations } from '../cache/server.ts'
import { createLogger } from '../observation/logger.ts'
import { databaseFailure } from './failures.ts'
import { connectDatabase, type Database, migrate } from './server.ts'
import { missingHaproxy, startTestHaproxy } from './test-haproxy.ts'
import { startTestPair, type TestPair } from './test-pair.ts'

const log = createLogger({ level: 'silent' })

let pair: TestPair
const opened: Database[] = []

beforeEach(async () => {
  pair = await startTestPair()
}, 60_000)
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
  await pair.stop()
})

async function open(url: string) {
  const database = await connectDatabase(url, { log })
  opened.push(database)
  return database
}

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
  await pair.kill()
  await vi.waitFor(async () => expect(await database.health()).toBe('down'), 2000)
  await wait(500)
  await pair.promote()
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
    await expectTakeover(await open(pair.url))
  })

  it('is refused when none of them takes writes', async () => {
    const { standbyUrl } = pair
    const onlyStandbys = standbyUrl.replace(/@([^/]+)/, '@$1,$1')
    await expect(open(onlyStandbys)).rejects.toThrow('No host in DATABASE_URL takes writes')
    await expect(open(`${standbyUrl}?target_session_attrs=read-write`)).rejects.toThrow(
      'No host in DATABASE_URL takes writes',
    )
  })
})

describe.skipIf(missingHaproxy)(
  'one address of HAProxy' + missingHaproxy,
  { timeout: 60_000 },
  () => {
    it('leads within 5 s to the standby that was promoted: nothing acknowledged is lost (F25)', async () => {
      const haproxy = await startTestHaproxy([pair.primaryUrl, pair.standbyUrl])
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
    const database = await open(pair.standbyUrl)
    expect(await database.health()).toBe('read_only')
    expect(await database.isUp()).toBe(false)
    const failure = await database.pool.query('create table t ()').catch((error) => error)
    expect(databaseFailure(failure)?.status).toBe(503)
    await pair.kill()
    await pair.promote()
    await vi.waitFor(async () => expect(await database.health()).toBe('up'), 5000)
  })

  it('that is promoted minutes after the first migration has working messages (F25)', async () => {
    await migrate({ url: pair.primaryUrl }, [coreMigrations], { log })
    await pair.kill()
    await pair.promote()
    const cache = await connectCache('postgres:', { log, database: { url: pair.standbyUrl } })
    try {
      const got: string[] = []
      await cache.subscribe('news', (message) => got.push(message))
      await cache.publish('news', 'hello')
      await vi.waitFor(() => expect(got).toEqual(['hello']), 5000)
    } finally {
      await cache.close()
    }
  })
})
