import type { Db } from '@svc/core'
import { type Attempt, type Counted, countTogether } from '@svc/core/limits'
import { and, gt, inArray } from 'drizzle-orm'
import { attempts } from './schema.ts'

interface Windows {
  /** Adds to a window, which begins with the first call. Calls that come while a statement runs share the next one. */
  add(attempt: Attempt & { amount: number }): Promise<Counted>
  /** The windows with these ids that have begun and not ended. */
  read(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Counted>>
}

/**
 * Windows that can grow by more than one at a time, and that can be read. They are in the database even if the instances
 * share a cache, because a cache may lose an entry before a day is over. An id is a keyed hash.
 */
export function openWindows(db: Db): Windows {
  return {
    add: countTogether(db, 'svc_auth.attempts'),
    async read(ids: readonly string[], now: Date) {
      const isOpen = gt(attempts.windowEndsAt, now)
      const rows = await db
        .select()
        .from(attempts)
        .where(and(inArray(attempts.id, [...ids]), isOpen))
      return new Map(
        rows.map(({ id, count, windowEndsAt }) => [id, { count, endsAt: windowEndsAt }]),
      )
    },
  }
}
