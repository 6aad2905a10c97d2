import type { Db, TrailFinding } from '@svc/core'
import { asc, eq, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { isoOf, sealColumns, writtenColumns } from './written-rows.ts'

export type SealedRow = Awaited<ReturnType<typeof sealedAfter>>[number]

export const stepSize = 250

/** The next seals, each with its row where that is there. A position is text: an attacker's has any number of digits. */
export function sealedAfter(db: Db, position: string) {
  return db
    .select({
      place: sql<string>`${auditSeals.position}::text`,
      seal: sealColumns,
      row: { ...writtenColumns, position: auditEvents.position },
    })
    .from(auditSeals)
    .leftJoin(auditEvents, eq(auditEvents.auditId, auditSeals.auditId))
    .where(sql`${auditSeals.position} > ${position}::bigint`)
    .orderBy(asc(auditSeals.position))
    .limit(stepSize)
}

type Said = Pick<TrailFinding, 'what' | 'text'>

/** What is told of one row. */
export function findingOf(
  { position, auditId, act, at }: Pick<SealedRow['seal'], 'position' | 'auditId' | 'act' | 'at'>,
  said: Said,
): TrailFinding {
  return { position, auditId, act, at: isoOf(at), ...said }
}
