import { setTimeout as wait } from 'node:timers/promises'
import { connectDatabase } from '@svc/core/database'
import type { TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'

interface Line {
  /** Some never wait, so this has an end. */
  readonly whileFewerWait: (number: number, until: { tries: number }) => Promise<void>
  /** Until all of them wait, or it is a while since the last one came: some wait for a connection. */
  readonly whileMoreCome: (all: () => number) => Promise<void>
}

/** Of 5 ms and a query each, on a processor that those who are to come share. */
const triesWithoutAnother = 40

/**
 * Makes requests stand in line for an account. On connections of its own: those of the instances are for the
 * contestants.
 */
export async function openLine({ infrastructure }: TestServer) {
  const log = { warn: () => {}, error: () => {} }
  const url = infrastructure.database?.url as string
  const database = await connectDatabase(url, { log, maxConnections: 2 })
  const { db } = database

  /** How many wait for a row, that is: a table that grows makes others wait for a moment. */
  async function countWaiting() {
    const { rows } = await db.execute(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and wait_event in ('transactionid', 'tuple')`)
    return Number(rows[0]?.waiting)
  }

  const whileFewerWait: Line['whileFewerWait'] = async (number, { tries }) => {
    for (let tried = 0; tried < tries; tried++) {
      if ((await countWaiting()) >= number) return
      await wait(5)
    }
  }

  const whileMoreCome: Line['whileMoreCome'] = async (all) => {
    let missing = Infinity
    for (let tried = 0; tried < triesWithoutAnother; tried++) {
      const nowMissing = all() - (await countWaiting())
      if (nowMissing <= 0) return
      if (nowMissing < missing) tried = 0
      missing = Math.min(missing, nowMissing)
      await wait(5)
    }
  }

  /** Nobody else gets the accounts while `run` does. */
  const holding = (userIds: readonly string[], run: (line: Line) => Promise<void>) =>
    db.transaction(async (tx) => {
      const held = sql`select from svc_auth.users where user_id in ${[...userIds]}`
      await tx.execute(sql`${held} for no key update`)
      await run({ whileFewerWait, whileMoreCome })
    })

  return { holding, close: () => database.close() }
}
