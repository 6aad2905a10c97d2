import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { Attempt, Counted } from './count-attempt.ts'
import { attempts } from './schema.ts'

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
      for (const { id, count, ends } of await countAll(db, byId)) {
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
async function countAll(db: Db, byId: ReturnType<typeof groupById>) {
  const given = [...byId].map(([id, own]) => {
    const { windowMillis, now } = own[0].attempt
    return { id, count: own.length, now: now.getTime(), ends: now.getTime() + windowMillis }
  })
  const { rows } = await db.execute<Row>(sql`
    insert into ${attempts} as a (id, count, window_ends_at)
    select id, count, to_timestamp(ends / 1000.0)
    from json_to_recordset(${JSON.stringify(given)}) as g (id text, count int, ends bigint)
    order by id
    on conflict (id) do update set
      count = case when a.window_ends_at <= ${nowOf(given)} then excluded.count else a.count + excluded.count end,
      window_ends_at = case when a.window_ends_at <= ${nowOf(given)} then excluded.window_ends_at else a.window_ends_at end
    returning id, count, round(extract(epoch from window_ends_at) * 1000)::bigint::text as ends`)
  return rows
}

/** One clock counts for a turn. */
const nowOf = ([first]: { now: number }[]) => sql`to_timestamp(${first?.now ?? 0}::bigint / 1000.0)`
