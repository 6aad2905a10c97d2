import { sql } from 'drizzle-orm'
import type { Db } from '../database/database.ts'
import type { Amount, Attempt, Counted } from './count-attempts.ts'

/** Has the columns `id`, `count` and `window_ends_at`. */
type Table = `svc_${string}.${string}`

interface Waiting {
  attempt: Amount
  resolve: (counted: Counted) => void
  reject: (error: unknown) => void
}

// A statement on a lost connection fails only after seconds. Those that come later must not wait for it.
const mostMillis = 250

/**
 * Counts all attempts of one turn of the event loop in one statement. What comes while it runs shares the next one. When
 * many people sign in at once, a statement for each would be a third of the cost of a refusal.
 */
export function countTogether(db: Db, table: Table) {
  let waiting: Waiting[] = []
  let isCounting = false

  async function countWaiting() {
    while (waiting.length > 0) {
      const turn = waiting
      waiting = []
      await inTime(countTurn(turn))
    }
    isCounting = false
  }

  async function countTurn(turn: Waiting[]) {
    const byId = groupById(turn)
    try {
      // The clock of the first one is used for all: they came within the time of a statement.
      const [first] = turn as [Waiting, ...Waiting[]]
      for (const { id, count, ends } of await countAll(db, table, {
        byId,
        now: first.attempt.now,
      })) {
        const own = byId.get(id) ?? []
        // Each gets a number of its own, even with the same id.
        let counted = count - amountOf(own)
        for (const { attempt, resolve } of own) {
          counted += attempt.amount
          resolve({ count: counted, endsAt: new Date(Number(ends)) })
        }
      }
    } catch (error) {
      for (const { reject } of turn) reject(error)
    }
  }

  return ({ amount = 1, ...attempt }: Attempt & Partial<Amount>) => {
    // After the sockets of this turn have been read: then their requests are here.
    if (!isCounting) setImmediate(() => void countWaiting())
    isCounting = true
    return new Promise<Counted>((resolve, reject) =>
      waiting.push({ attempt: { ...attempt, amount }, resolve, reject }),
    )
  }
}

/** Resolves when it is done, or has taken too long. */
const inTime = (counting: Promise<void>) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, mostMillis)
    void counting.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })

const amountOf = (own: readonly Waiting[]) =>
  own.reduce((sum, { attempt }) => sum + attempt.amount, 0)

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
async function countAll(
  db: Db,
  table: Table,
  { byId, now }: { byId: ReturnType<typeof groupById>; now: Date },
) {
  const given = [...byId].map(([id, own]) => {
    const ends = now.getTime() + own[0].attempt.windowMillis
    return { id, count: amountOf(own), ends }
  })
  const isOver = sql`a.window_ends_at <= to_timestamp(${now.getTime()}::bigint / 1000.0)`
  const { rows } = await db.execute<Row>(sql`
    insert into ${sql.raw(table)} as a (id, count, window_ends_at)
    select id, count, to_timestamp(ends / 1000.0)
    from json_to_recordset(${JSON.stringify(given)}) as g (id text, count int, ends bigint)
    order by id
    on conflict (id) do update set
      count = case when ${isOver} then excluded.count else a.count + excluded.count end,
      window_ends_at = case when ${isOver} then excluded.window_ends_at else a.window_ends_at end
    returning id, count, round(extract(epoch from window_ends_at) * 1000)::bigint::text as ends`)
  return rows
}
