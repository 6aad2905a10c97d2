import { isRefusedWrite } from './failures.ts'

/**
 * A write of a route that said that it only reads. It is a fault of the program, which 503 would hide: so what
 * PostgreSQL said of it is no cause.
 */
export function refuseWrite(error: unknown): never {
  if (!isRefusedWrite(error)) throw error
  throw new Error(
    'A route that is declared .stale() reads, and cannot write: leave .stale() out, or write in another route.',
  )
}
