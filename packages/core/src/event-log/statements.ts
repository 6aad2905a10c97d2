import type { QueryConfig } from 'pg'

/** The id of a router's log in the database. A server has one router for each kind of stream. */
export type RouterNumber = 0 | 1

/** The channel for announcements of ticks, as `router:position`. */
export const announcements = 'svc_events'

export const open = (router: RouterNumber) => ({
  name: 'svc_events_open',
  text: 'select svc_core.open_event_log($1::smallint)',
  values: [router],
})

/** Gives positions to the emissions that were committed since the last tick. */
export const tick = (router: RouterNumber, { size, ttl }: { size: number; ttl: number }) => ({
  name: 'svc_events_tick',
  text: 'select svc_core.tick_events($1::smallint, $2::bigint, $3::interval) as head',
  values: [router, size, `${ttl} milliseconds`],
})

/** A row to write in the transaction that emits. */
export interface GivenRow {
  readonly slot: number
  /** The router's key of the event. */
  readonly name: string
  readonly payload: string
  readonly trace: string | null
}

const appendOne = `
  insert into svc_core.event_rows (slot, event, payload, trace)
  values ($1::smallint, $2::text, $3::text, $4::text)`

const appendMany = `
  insert into svc_core.event_rows (slot, event, payload, trace)
  select slot, event, payload, trace
  from unnest($1::smallint[], $2::text[], $3::text[], $4::text[])
    with ordinality as given (slot, event, payload, trace, place)
  order by place`

/** Most transactions emit once, and arrays would cost more than the row. */
export function append(rows: readonly GivenRow[]): QueryConfig {
  const [first] = rows
  if (first && rows.length === 1) {
    const { slot, name, payload, trace } = first
    return { name: 'svc_events_append', text: appendOne, values: [slot, name, payload, trace] }
  }
  return {
    name: 'svc_events_append_many',
    text: appendMany,
    values: [
      rows.map(({ slot }) => slot),
      rows.map(({ name }) => name),
      rows.map(({ payload }) => payload),
      rows.map(({ trace }) => trace),
    ],
  }
}

export interface StateRow {
  epoch: string
  slot: number
  head: number
  floor: number
}

export const state = (router: RouterNumber) => ({
  name: 'svc_events_state',
  text: 'select epoch, slot, head, floor from svc_core.event_logs where router = $1::smallint',
  values: [router],
})

export interface EventRow extends StateRow {
  /** Null if there is no newer tick. */
  first: number | null
  last: number | null
  /** Null if the rows of a tick are gone. */
  event: string | null
  payload: string
  trace: string | null
  ageMillis: number
}

const columns = 'id, event, payload, trace, created_at'
const inSlots = 'slot >= $3::smallint and slot < $3::smallint + 8'

/**
 * The rows of the ticks after a position, in order: at least one tick, and all that begin within so
 * many rows. A transaction that was running at the tick before is in the list of those that this
 * tick includes.
 */
const newerText = `
  select log.epoch, log.slot, log.head, log.floor, tick.first, tick.last, event.event, event.payload, event.trace,
    extract(epoch from clock_timestamp() - event.created_at)::float8 * 1000 as "ageMillis"
  from svc_core.event_logs log
  left join lateral (
    select * from svc_core.event_ticks
    where router = log.router and last > $2::bigint and first <= $2::bigint + $4::bigint
    order by last
  ) tick on true
  left join lateral (
    select ${columns} from svc_core.event_rows
    where ${inSlots} and xid >= tick.xid_from and xid < tick.xid_to
      and pg_visible_in_snapshot(xid, tick.snapshot)
    union all
    select ${columns} from svc_core.event_rows where ${inSlots} and xid = any (tick.caught)
  ) event on true
  where log.router = $1::smallint
  order by tick.last, event.id`

export const newer = (router: RouterNumber, after: number, rows: number) => ({
  name: 'svc_events_newer',
  text: newerText,
  values: [router, after, router * 8, rows],
})
