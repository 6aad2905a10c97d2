import { randomBytes } from 'node:crypto'
import type { Tx } from '@svc/core'
import {
  type AnyColumn,
  and,
  asc,
  desc,
  gt,
  isNotNull,
  isNull,
  lt,
  type SQL,
  sql,
} from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { contentDigest, firstPrevious, personalDigest, sealDigest } from './digests.ts'
import { isPlausible, sealColumns, type WrittenRow, writtenColumns } from './written-rows.ts'

const hourMillis = 3_600_000
/** A refusal that was begun within its hour is written by then. */
const graceMillis = 300_000

/** A row that counts repeats changes until its hour is over. */
const closedBefore = (now: Date) =>
  new Date(Math.floor((now.getTime() - graceMillis) / hourMillis) * hourMillis)

/** One seals at a time. Null where another does. */
export async function lockChain(tx: Tx) {
  const { rows } = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('svc_auth.audit_seals', 0)) as taken`,
  )
  return rows[0]?.taken === true
}

/**
 * Chains rows that are committed, in the order in which it sees them: a row that is seen later gets a later place, even
 * if its number is lower. It locks rows that are there already, which no sign-in touches, and waits for none. Answers
 * how many it has looked at.
 */
export async function sealRows(tx: Tx, { now, most }: { now: Date; most: number }) {
  if (!(await lockChain(tx))) return null
  const { room, ...end } = await endOfChain(tx)
  const rows = await settledRows(tx, { now, most: Math.min(most, room) })
  const canBeSealed = (row: (typeof rows)[number]) => !row.isSealed && isPlausible(row)
  await setAside(
    tx,
    rows.filter((row) => !canBeSealed(row)),
  )
  await writeSeals(tx, chained(rows.filter(canBeSealed), end))
  return rows.length
}

type Settled = Awaited<ReturnType<typeof lockedRows>>[number]

async function settledRows(tx: Tx, { now, most }: { now: Date; most: number }) {
  const { auditId, at, repeatKey } = auditEvents
  const counts = isNotNull(repeatKey)
  const waiting: [SQL | undefined, AnyColumn][] = [
    [isNull(repeatKey), auditId],
    [and(counts, lt(at, closedBefore(now))), at],
    // Of an hour that never was: it would count for ever.
    [and(counts, gt(at, new Date(now.getTime() + hourMillis))), at],
  ]
  const rows: Settled[] = []
  for (const [which, order] of waiting) {
    const left = most - rows.length
    if (left > 0) rows.push(...(await lockedRows(tx, { which, order, most: left })))
  }
  return rows.toSorted((one, other) => Number(one.auditId) - Number(other.auditId))
}

interface Waiting {
  readonly which: SQL | undefined
  readonly order: AnyColumn
  readonly most: number
}

/** Each kind by an index of its own, so that refusals of the hour, which wait, are not looked at in each run. */
async function lockedRows(tx: Tx, { which, order, most }: Waiting) {
  const rows = await tx
    .select({ ...writtenColumns, isSealed })
    .from(auditEvents)
    .where(and(isNull(auditEvents.position), which))
    .orderBy(asc(order))
    .limit(most)
    // One that is being purged comes next time, when its personal fields are gone.
    .for('update', { skipLocked: true })
  return rows.map((row) => ({ ...row, salt: row.salt ?? randomBytes(16).toString('base64url') }))
}

/** An attacker has taken its position away, or has written its seal. */
const isSealed = sql<boolean>`exists (
  select from ${auditSeals} seal where seal.audit_id = audit_events.audit_id)`

/** No seal has it. */
export const noPlace = 0

/**
 * For rows that the server can't have written, or that have a seal: they must not keep others from theirs. A check names
 * them, since they claim a place that they don't have.
 */
async function setAside(tx: Tx, rows: readonly WrittenRow[]) {
  if (rows.length === 0) return
  await tx.execute(sql`
    update ${auditEvents} set position = ${noPlace}, repeat_key = null
    where audit_id = any(${sql.param(rows.map(({ auditId }) => auditId))}::bigint[])`)
}

// A trail has fewer rows: what is behind is an attacker's.
const places = 2 ** 52

/** The last seal, and for how many rows there is room behind it. */
export async function endOfChain(tx: Tx) {
  const last = await sealBefore(tx, places)
  const room = places - 1 - last.position
  if (room > 0) return { ...last, room }
  // An attacker's seal is on the last place: the chain goes on before those that are there.
  const first = await firstInARow(tx)
  const end = await sealBefore(tx, first)
  return { ...end, room: first - 1 - end.position }
}

async function sealBefore(tx: Tx, before: number) {
  const { position } = auditSeals
  const { digest, at } = sealColumns
  const [seal] = await tx
    .select({ position, digest, at })
    .from(auditSeals)
    .where(and(gt(position, 0), lt(position, before)))
    .orderBy(desc(position))
    .limit(1)
  return seal ?? { position: 0, digest: firstPrevious, at: '0' }
}

/** The first of the seals that stand on the last places without a gap. */
async function firstInARow(tx: Tx) {
  const { rows } = await tx.execute<{ position: string }>(sql`
    select seal.position::text as position from ${auditSeals} seal
    where seal.position between 1 and ${places - 1}
      and not exists (
        select from ${auditSeals} earlier where earlier.position = seal.position - 1)
    order by seal.position desc
    limit 1`)
  return Number(rows[0]?.position ?? 1)
}

type Sealed = ReturnType<typeof chained>[number]

function chained(rows: readonly WrittenRow[], end: { position: number; digest: string }) {
  let { position, digest: previous } = end
  return rows.map((row) => {
    position += 1
    const { auditId, at, act, salt } = row
    const personal = personalDigest(row)
    const content = contentDigest(row, personal)
    const digest = sealDigest({ position, auditId, at, act, content, previous })
    const seal = { auditId, salt, position, personal, content, previous, digest }
    previous = digest
    return seal
  })
}

/** Time and act go from row to seal in the database: a Date has not every time that a row can have. */
async function writeSeals(tx: Tx, seals: readonly Sealed[]) {
  if (seals.length === 0) return
  const each = <Name extends keyof Sealed>(name: Name) => sql.param(seals.map((seal) => seal[name]))
  await tx.execute(sql`
    insert into ${auditSeals}
      (position, audit_id, at, act, personal, content, previous, digest)
    select seal.position, seal.id, event.at, event.act, seal.personal, seal.content,
      seal.previous, seal.digest
    from unnest(${each('auditId')}::bigint[], ${each('position')}::bigint[],
      ${each('personal')}::text[], ${each('content')}::text[], ${each('previous')}::text[],
      ${each('digest')}::text[]) as seal (id, position, personal, content, previous, digest)
    join ${auditEvents} event on event.audit_id = seal.id`)
  await tx.execute(sql`
    update ${auditEvents} set position = seal.position, salt = seal.salt, repeat_key = null
    from unnest(${each('auditId')}::bigint[], ${each('position')}::bigint[],
      ${each('salt')}::text[]) as seal (audit_id, position, salt)
    where ${auditEvents.auditId} = seal.audit_id`)
}
