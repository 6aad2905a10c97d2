import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { connectDatabase, connectStaleReads, type Database, type StaleReads } from '../server.ts'
import { startTestPair, type TestPair } from '../test-pair.ts'

export const numbers = pgTable('numbers', { n: integer().primaryKey() })
export const said: string[] = []
export const log = {
  info: (_: unknown) => void said.push('up'),
  warn: (facts: unknown) => void said.push((facts as { replica?: string }).replica ?? ''),
  error: () => {},
}
export const opened: StaleReads[] = []

export async function isAtReplica({ db }: StaleReads) {
  const { rows } = await db.execute<{ at: boolean }>(sql`select pg_is_in_recovery() as at`)
  return rows[0]?.at
}
export const read = async ({ db }: StaleReads) =>
  (await db.select().from(numbers)).map(({ n }) => n)

/** A primary and its replica, for the tests of one file. */
export function useReplica() {
  let pair: TestPair
  let database: Database

  beforeAll(async () => {
    pair = await startTestPair()
    database = await connectDatabase(pair.primaryUrl, { log })
    await database.pool.query('create table numbers (n int primary key)')
  }, 60_000)
  beforeEach(async () => {
    await database.pool.query('truncate numbers')
    said.length = 0
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()))
  })
  afterAll(async () => {
    await database.close()
    await pair.stop()
  })

  async function open(url: string | undefined, mostMillis = 10_000, primary = database) {
    const reads = await connectStaleReads({
      database: primary,
      url,
      mostMillis,
      maxConnections: 4,
      log,
      observer: undefined,
      schema: undefined,
    })
    opened.push(reads)
    return reads
  }
  return {
    get pair() {
      return pair
    },
    get database() {
      return database
    },
    open,
  }
}
