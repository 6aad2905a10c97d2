import type { Db, TrailFinding } from '@svc/core'
import { asc, eq, gt } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { sealColumns, writtenColumns } from './digests.ts'

export type SealedRow = Awaited<ReturnType<typeof sealedAfter>>[number]

export const stepSize = 1000

/** The next seals, each with its row where that is there. */
export function sealedAfter(db: Db, position: number) {
  return db
    .select({ seal: sealColumns, row: { ...writtenColumns, position: auditEvents.position } })
    .from(auditSeals)
    .leftJoin(auditEvents, eq(auditEvents.auditId, auditSeals.auditId))
    .where(gt(auditSeals.position, position))
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

function isoOf(seconds: string) {
  const moment = new Date(Math.round(Number(seconds) * 1000))
  // An attacker may have written a time that no Date can have.
  return Number.isNaN(moment.getTime()) ? seconds : moment.toISOString()
}
