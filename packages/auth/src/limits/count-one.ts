import type { Db } from '@svc/core'
import type { Attempt, Counted } from '@svc/core/limits'
import { eq, lte, sql } from 'drizzle-orm'
import { attempts } from './schema.ts'

/** Counts in one statement: of a thousand at once, each gets a number of its own. */
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
  // An upsert without a condition always returns its row.
  return counted as Counted
}

/** Takes back one that turned out not to count. */
export async function uncountInDatabase(db: Db, id: string) {
  const count = sql`greatest(${attempts.count} - 1, 0)`
  await db.update(attempts).set({ count }).where(eq(attempts.id, id))
}
