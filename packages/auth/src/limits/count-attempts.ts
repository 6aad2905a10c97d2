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

interface Waiting {
  attempt: Attempt
  resolve: (counted: Counted) => void
  reject: (error: unknown) => void
}

/**
 * Counts all attempts of one turn of the event loop in one statement. When many people sign in at once, a statement for
 * each would be a third of what it costs to refuse them.
 */
export function countTogether(db: Db) {
  let turn: Waiting[] = []

  async function countTurn() {
    const waiting = turn
    turn = []
    const byId = groupById(waiting)
    try {
      // The clock of the first is the clock of all: they came in the same turn.
      const [first] = waiting as [Waiting, ...Waiting[]]
      for (const { id, count, ends } of await countAll(db, byId, first.attempt.now)) {
        const own = byId.get(id) ?? []
        // Each is told a number of its own, also of the same id.
        for (const [at, { resolve }] of own.entries()) {
          resolve({ count: count - own.length + at + 1, endsAt: new Date(Number(ends)) })
        }
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  return (attempt: Attempt) => {
    // After the sockets of this turn have been read: by then their requests are here.
    if (turn.length === 0) setImmediate(() => void countTurn())
    return new Promise<Counted>((resolve, reject) => turn.push({ attempt, resolve, reject }))
  }
}

function groupById(waiting: Waiting[]) {
  const byId = new Map<string, [Waiting, ...Waiting[]]>()
  for (const each of waiting) {
    const same = byId.get(each.attempt.id)
    if (same) same.push(each)
    else byId.set(each.attempt.id, [each])
  }
  return byId
}

interface Row extends Record<string, unknown> {
  id: string
  count: number
  ends: string
}

/** Sorted by id: two instances that count the same ids must lock them in the same order. */
async function countAll(db: Db, byId: ReturnType<typeof groupById>, now: Date) {
  const given = [...byId].map(([id, own]) => {
    const ends = now.getTime() + own[0].attempt.windowMillis
    return { id, count: own.length, ends }
  })
  const isOver = sql`a.window_ends_at <= to_timestamp(${now.getTime()}::bigint / 1000.0)`
  const { rows } = await db.execute<Row>(sql`
    insert into ${attempts} as a (id, count, window_ends_at)
    select id, count, to_timestamp(ends / 1000.0)
    from json_to_recordset(${JSON.stringify(given)}) as g (id text, count int, ends bigint)
    order by id
    on conflict (id) do update set
      count = case when ${isOver} then excluded.count else a.count + excluded.count end,
      window_ends_at = case when ${isOver} then excluded.window_ends_at else a.window_ends_at end
    returning id, count, round(extract(epoch from window_ends_at) * 1000)::bigint::text as ends`)
  return rows
}
