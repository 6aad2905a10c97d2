import { randomBytes } from 'node:crypto'
import type { Tx } from '@svc/core'
import { and, asc, desc, isNull, lt, or, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import {
  contentDigest,
  firstPrevious,
  personalDigest,
  sealDigest,
  type WrittenRow,
  writtenColumns,
} from './digests.ts'

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
 * Chains rows that are committed, whichever commits first: a row that is seen later gets a later place, whatever its
 * number. It locks rows that are there already, which no sign-in touches, and waits for none. Answers how many.
 */
export async function sealRows(tx: Tx, { now, most }: { now: Date; most: number }) {
  if (!(await lockChain(tx))) return null
  const rows = await settledRows(tx, { now, most })
  if (rows.length === 0) return 0
  const seals = chained(rows, await endOfChain(tx))
  await tx.insert(auditSeals).values(
    seals.map(({ row, ...seal }) => ({
      ...seal,
      auditId: Number(seal.auditId),
      at: row.moment,
    })),
  )
  await tx.execute(sql`
    update ${auditEvents} set position = seal.position, salt = seal.salt, repeat_key = null
    from unnest(
      ${sql.param(seals.map(({ auditId }) => auditId))}::bigint[],
      ${sql.param(seals.map(({ position }) => position))}::bigint[],
      ${sql.param(seals.map(({ row }) => row.salt))}::text[]
    ) as seal (audit_id, position, salt)
    where ${auditEvents.auditId} = seal.audit_id`)
  return seals.length
}

async function settledRows(tx: Tx, { now, most }: { now: Date; most: number }) {
  const { auditId, at, position, repeatKey } = auditEvents
  const isSettled = or(isNull(repeatKey), lt(at, closedBefore(now)))
  const rows = await tx
    .select({ ...writtenColumns, moment: at })
    .from(auditEvents)
    .where(and(isNull(position), isSettled))
    .orderBy(asc(auditId))
    .limit(most)
    // One that is being purged comes next time, when its personal fields are gone.
    .for('update', { skipLocked: true })
  return rows.map((row) => ({ ...row, salt: row.salt ?? randomBytes(16).toString('base64url') }))
}

export async function endOfChain(tx: Tx) {
  const { position, digest, at } = auditSeals
  const [last] = await tx
    .select({ position, digest, at })
    .from(auditSeals)
    .orderBy(desc(position))
    .limit(1)
  return last ?? { position: 0, digest: firstPrevious, at: new Date(0) }
}

function chained<Row extends WrittenRow>(
  rows: readonly Row[],
  end: { position: number; digest: string },
) {
  let { position, digest: previous } = end
  return rows.map((row) => {
    position += 1
    const { auditId, at, act } = row
    const personal = personalDigest(row)
    const content = contentDigest(row, personal)
    const digest = sealDigest({ position, auditId, at, act, content, previous })
    const seal = { row, position, auditId, act, personal, content, previous, digest }
    previous = digest
    return seal
  })
}
