import type { Clock } from '../clock/clock.ts'
import { TooManyRequestsError } from '../errors/contract.ts'
import type { Attempt, Counted } from './count-attempts.ts'
import type { LimitHits } from './limit-hits.ts'

const mostClosed = 10_000

interface Taken {
  id: string
  /** The name of the limit. */
  name: string
  limit: number
  windowMillis: number
  /**
   * Attempts come in floods, for example from an address. Once its window is used up, no statement
   * counts it any more.
   */
  closes: boolean
}

/** Refuses attempts over a limit, by counts that all instances share. */
export function createCounter({
  clock,
  count,
  hits,
}: {
  clock: Clock
  count: (attempt: Attempt) => Promise<Counted>
  hits: LimitHits
}) {
  /** The used-up windows: further requests of a flood do not reach the database. */
  const closed = new Map<string, Date>()

  function close(id: string, endsAt: Date) {
    if (closed.size >= mostClosed) closed.clear()
    closed.set(id, endsAt)
  }

  function refusal(name: string, endsAt: Date, now: Date) {
    hits.add(name)
    return tooMany(endsAt, now)
  }

  /**
   * Counts one more. If the counts can't be reached, it is a 503: what they protect stays closed.
   */
  return async ({ id, name, limit, windowMillis, closes }: Taken) => {
    const now = clock.now()
    const closedUntil = closed.get(id)
    if (closedUntil && closedUntil > now) throw refusal(name, closedUntil, now)
    const { count: taken, endsAt } = await count({ id, windowMillis, now })
    if (taken <= limit) return
    if (closes) close(id, endsAt)
    throw refusal(name, endsAt, now)
  }
}

/** Says when to come again: never at once, and never later than the window ends. */
export function tooMany(endsAt: Date, now: Date) {
  const retryAfter = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
  return new TooManyRequestsError({ retryAfter })
}
