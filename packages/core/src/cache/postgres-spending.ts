import type { BornWith } from './births.ts'
import type { Spendable, Spending } from './cache.ts'
import { wholeMillis } from './cache.ts'
import type { Statements } from './postgres-statements.ts'
import { rowKey } from './postgres-values.ts'

const now = 'extract(epoch from clock_timestamp())::float8 * 1000'
const born = '(select value::float8 from svc_core.cache_entries where key = $1)'

// One statement, so that a crash that empties the table removes the mark too. Without a mark, or with one that is too
// young, it stores nothing.
const spend = {
  name: 'svc_cache_spend',
  text: `
    insert into svc_core.cache_entries (key, value, expires_at)
    select $2, '1', clock_timestamp() + $4::float8 * interval '1 millisecond'
    where ${born} < $3::float8
    on conflict (key) do update set expires_at = excluded.expires_at
      where cache_entries.expires_at <= clock_timestamp()
    returning ${born} as born, ${now} as now`,
}

const look = {
  name: 'svc_cache_spent',
  text: `
    select ${born} as born, ${now} as now, (exists (
      select from svc_core.cache_entries
      where key = $2 and expires_at > clock_timestamp()))::text as spent`,
}

const bear = {
  name: 'svc_cache_bear',
  text: `
    insert into svc_core.cache_entries (key, value, expires_at)
    values ($1, (${now})::text, 'infinity') on conflict do nothing`,
}

/** A row of the table itself, so that it is lost with the ids. */
const mark = rowKey('svc:born')

interface Given {
  /** The cache was born at this time, or is known to have been. */
  onBorn: (bornAtMillis: number, bornWith: BornWith) => void
}

export function openSpending({ run }: Pick<Statements, 'run'>, { onBorn }: Given) {
  const bearIt = () => run({ ...bear, values: [mark] })

  function told(row: Record<string, string>) {
    const moments = momentsOf(row)
    // The table is unlogged: a crash or a takeover leaves nothing in it.
    onBorn(moments.bornAtMillis, 'empty')
    return moments
  }

  async function spendIt(key: string, given: Spendable): Promise<Spending> {
    const { sinceMillis, ttlMillis } = given
    const values = [mark, rowKey(key), sinceMillis, wholeMillis(ttlMillis)]
    const [first] = (await run({ ...spend, values })).rows
    if (first) return { ...told(first), outcome: 'first' }
    const [why] = (await run({ ...look, values: [mark, rowKey(key)] })).rows
    if (why?.born == null) return bearIt().then(() => spendIt(key, given))
    const moments = told(why)
    if (moments.bornAtMillis >= sinceMillis) return { ...moments, outcome: 'unknown' }
    // Born between the two statements, of which the first stored nothing.
    return why['spent'] === 'true' ? { ...moments, outcome: 'again' } : spendIt(key, given)
  }

  /** Writes the mark if there is none. Requests that were signed before the mark are refused. */
  async function seeBirth() {
    await spendIt('svc:birth', { sinceMillis: 0, ttlMillis: 1 }).catch(() => {})
  }

  return { spend: spendIt, seeBirth }
}

const momentsOf = (row: Record<string, string>) => ({
  bornAtMillis: Number(row.born),
  nowMillis: Number(row.now),
})
