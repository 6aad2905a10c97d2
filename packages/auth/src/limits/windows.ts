import type { Db } from '@svc/core'
import { type Attempt, type Counted, countTogether } from '@svc/core/limits'
import { and, gt, inArray } from 'drizzle-orm'
import { attempts } from './schema.ts'

interface Windows {
  /** Adds to a window, which begins with the first of them. Those of a turn share a statement. */
  add(attempt: Attempt & { amount: number }): Promise<Counted>
  /** Those that have begun and not ended, by their ids. */
  read(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Counted>>
}

/**
 * Windows that are counted by more than one at a time, and can be read. They are in the database also where a cache is
 * shared: a day is longer than a cache may live. An id is a keyed hash.
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
