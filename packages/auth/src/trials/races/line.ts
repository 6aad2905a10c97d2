import { setTimeout as wait } from 'node:timers/promises'
import { connectDatabase } from '@svc/core/database'
import type { TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'

type WhileFewerWait = (number: number, until: { tries: number }) => Promise<void>

/**
 * Makes requests stand in line for an account. On connections of its own: those of the instances are for the
 * contestants.
 */
export async function openLine({ infrastructure }: TestServer) {
  const log = { warn: () => {}, error: () => {} }
  const url = infrastructure.database?.url as string
  const database = await connectDatabase(url, { log, maxConnections: 2 })
  const { db } = database

  /** For a row, that is: a table that grows makes others wait for a moment. Some never wait, so this has an end. */
  const whileFewerWait: WhileFewerWait = async (number, { tries }) => {
    for (let tried = 0; tried < tries; tried++) {
      const { rows } = await db.execute(sql`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and wait_event in ('transactionid', 'tuple')`)
      if (Number(rows[0]?.waiting) >= number) return
      await wait(5)
    }
  }

  /** Nobody else gets the accounts while `run` does. */
  const holding = (
    userIds: readonly string[],
    run: (whileFewerWait: WhileFewerWait) => Promise<void>,
  ) =>
    db.transaction(async (tx) => {
      const held = sql`select from svc_auth.users where user_id in ${[...userIds]}`
      await tx.execute(sql`${held} for no key update`)
      await run(whileFewerWait)
    })

  return { holding, close: () => database.close() }
}
