import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, QueryConfig } from 'pg'
import { isCollision } from './failures.ts'

const mostTries = 8

/**
 * No try begins later, so that whoever waits is answered soon. PostgreSQL takes a second to see a deadlock: two of them
 * have to fit.
 */
export const latestMillis = 2500

/** Up to 0.2 s, and each time another one: those that have collided must not meet again. */
const pauseMillis = (tries: number) => Math.random() * Math.min(200, 10 * 2 ** tries)

/**
 * Runs it again while PostgreSQL undoes it for a collision, for so long. All else that fails is the caller's.
 */
export async function retried<Result>(
  run: () => Promise<Result>,
  withinMillis: number,
): Promise<Result> {
  const latest = performance.now() + withinMillis
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      const pause = pauseMillis(tries)
      const isLast = tries === mostTries || performance.now() + pause > latest
      if (isLast || !isCollision(error)) throw error
      await wait(pause)
    }
  }
}

/**
 * One statement, which can't have committed a part of its work before it failed. A procedure can, and a text of several
 * statements.
 */
const single = /^\s*(?:select|insert|update|delete|merge|values|with)\b[^;]*;?\s*$/i

/** The pool for statements outside of transactions: one that collided runs again. */
export function retryingStatements(
  pool: Pick<Pool, 'query'>,
  withinMillis: number,
): Pick<Pool, 'query'> {
  const query = (statement: QueryConfig, values?: unknown[]) => {
    const run = () => pool.query(statement, values)
    return single.test(statement.text) ? retried(run, withinMillis) : run()
  }
  // Of all the ways to call it, Drizzle knows this one.
  return { query: query as Pool['query'] }
}
