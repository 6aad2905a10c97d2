import { isRefusedWrite } from './failures.ts'

/**
 * A route that declared that it only reads has written. That is a fault of the program. A 503 would
 * hide it, so PostgreSQL's error is not the cause.
 */
export function refuseWrite(error: unknown): never {
  if (!isRefusedWrite(error)) throw error
  throw new Error('A .stale() route can only read: remove .stale(), or write in another route.')
}
