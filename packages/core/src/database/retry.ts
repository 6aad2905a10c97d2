import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, QueryConfig } from 'pg'
import { isCollision } from './failures.ts'

const mostTries = 8

/**
 * No try begins later than this, so that the caller gets an answer soon. PostgreSQL takes a second
 * to detect a deadlock, and two of these have to fit.
 */
export const latestMillis = 2500

/** Up to 0.2 s, and random, so that transactions which collided do not meet again. */
const pauseMillis = (tries: number) => Math.random() * Math.min(200, 10 * 2 ** tries)

/**
 * Retries while PostgreSQL undoes it because of a collision, up to this time. Every other failure
 * is thrown.
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
 * One statement, which can't have committed a part of its work before it failed. A procedure can,
 * and so can a text of several statements.
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
  // Drizzle uses only this form of the call.
  return { query: query as Pool['query'] }
}
