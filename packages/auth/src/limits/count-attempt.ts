import type { Cache, Db } from '@svc/core'
import { eq, lte, sql } from 'drizzle-orm'
import { attempts } from './schema.ts'

/** One more, under an id that says nothing to who reads it. */
export interface Attempt {
  id: string
  windowMillis: number
  now: Date
}

/** How many there have been in the window, with this one, and when it ends. */
export interface Counted {
  count: number
  endsAt: Date
}

/** Counts in one statement: of a thousand at once, each is told a number of its own. */
export async function countInDatabase(db: Db, { id, windowMillis, now }: Attempt) {
  const windowEndsAt = new Date(now.getTime() + windowMillis)
  const isOver = lte(attempts.windowEndsAt, now)
  const [counted] = await db
    .insert(attempts)
    .values({ id, count: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: attempts.id,
      set: {
        count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
        windowEndsAt: sql`case when ${isOver} then excluded.window_ends_at else ${attempts.windowEndsAt} end`,
      },
    })
    .returning({ count: attempts.count, endsAt: attempts.windowEndsAt })
  // An upsert without a condition always answers its row.
  return counted as Counted
}

/** The count lives as long as its window. When that ends is kept beside it, for who comes too often. */
export async function countInCache(
  cache: Cache,
  { id, windowMillis, now }: Attempt,
): Promise<Counted> {
  const count = await cache.increment(`svc:auth:limit:${id}`, windowMillis)
  const latest = new Date(now.getTime() + windowMillis)
  const end = `svc:auth:limit-end:${id}`
  if (count === 1) {
    await cache.set(end, latest.toISOString(), windowMillis)
    return { count, endsAt: latest }
  }
  const kept = await cache.get(end)
  return { count, endsAt: kept === null ? latest : new Date(kept) }
}

/** Takes one back that turned out not to count. */
export async function uncountInDatabase(db: Db, id: string) {
  const count = sql`greatest(${attempts.count} - 1, 0)`
  await db.update(attempts).set({ count }).where(eq(attempts.id, id))
}
