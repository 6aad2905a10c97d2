import { hash } from 'node:crypto'
import { wholeMillis } from './cache.ts'
import type { Statements } from './postgres-statements.ts'
import { restored, storable } from './postgres-text.ts'

// One guarded statement each: of racing callers, one gets the row.

const get = {
  name: 'svc_cache_get',
  text: `
    select value from svc_core.cache_entries
    where key = $1 and expires_at > clock_timestamp()`,
}

const set = {
  name: 'svc_cache_set',
  text: `
    insert into svc_core.cache_entries (key, value, expires_at)
    values ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
}

const setIfAbsent = {
  name: 'svc_cache_set_if_absent',
  text: `${set.text}
    where cache_entries.expires_at <= clock_timestamp()`,
}

const take = {
  name: 'svc_cache_take',
  text: `
    delete from svc_core.cache_entries
    where key = $1 and expires_at > clock_timestamp()
    returning value`,
}

// The moment is read once, so that a count and its life agree.
const isLive = `cache_entries.expires_at > excluded.expires_at - $2::float8 * interval '1 millisecond'`

const increment = {
  name: 'svc_cache_increment',
  text: `
    insert into svc_core.cache_entries (key, value, expires_at)
    values ($1, '1', clock_timestamp() + $2::float8 * interval '1 millisecond')
    on conflict (key) do update set
      value = case when ${isLive} then (cache_entries.value::bigint + 1)::text else '1' end,
      expires_at = case when ${isLive} then cache_entries.expires_at else excluded.expires_at end
    returning value`,
}

const remove = {
  name: 'svc_cache_delete',
  text: 'delete from svc_core.cache_entries where key = $1',
}

/** The values of a cache, as rows. */
export function valuesIn({ run }: Pick<Statements, 'run'>) {
  return {
    async get(key: string) {
      const { rows } = await run({ ...get, values: [rowKey(key)] })
      return valueOf(rows)
    },
    async set(key: string, value: string, ttlMillis: number) {
      await run({ ...set, values: [rowKey(key), storable(value), wholeMillis(ttlMillis)] })
    },
    async setIfAbsent(key: string, value: string, ttlMillis: number) {
      const values = [rowKey(key), storable(value), wholeMillis(ttlMillis)]
      return (await run({ ...setIfAbsent, values })).count === 1
    },
    async take(key: string) {
      const { rows } = await run({ ...take, values: [rowKey(key)] })
      return valueOf(rows)
    },
    async increment(key: string, ttlMillis: number) {
      const values = [rowKey(key), wholeMillis(ttlMillis)]
      const { rows } = await run({ ...increment, values })
      return Number(rows[0]?.value)
    },
    async delete(key: string) {
      await run({ ...remove, values: [rowKey(key)] })
    },
  }
}

function valueOf([row]: Record<string, string>[]) {
  return row?.value === undefined ? null : restored(row.value)
}

/**
 * A hash fits the index at any length of the key. It also keeps tokens, which are keys, out of
 * dumps of the database.
 */
export function rowKey(key: string) {
  return hash('sha256', key, 'buffer')
}
