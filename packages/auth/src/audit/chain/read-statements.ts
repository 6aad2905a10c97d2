import type { Db, TrailFinding } from '@svc/core'
import { asc, sql } from 'drizzle-orm'
import { auditStatements } from '../schema.ts'
import type { RetentionRule } from './retention-rules.ts'
import {
  type Begin,
  byPlace,
  type Head,
  type PublicTrailKey,
  readStatement,
  type Statement,
  signedText,
} from './statements.ts'

/** What the server has signed, as far as it can be believed. */
export interface Statements {
  /** By position and time. */
  readonly heads: readonly Head[]
  readonly begin: Begin | undefined
  readonly cuts: readonly (readonly RetentionRule[])[]
  /** How many another key has signed. */
  readonly otherKeys: number
  readonly findings: readonly TrailFinding[]
}

export async function readStatements(
  db: Db,
  keys: readonly PublicTrailKey[],
  elsewhere: readonly string[],
): Promise<Statements> {
  const rows = await db
    .select({ id: sql<string>`${auditStatements.statementId}::text`, signed: signedText })
    .from(auditStatements)
    .orderBy(asc(auditStatements.statementId))
  const whichHas = new Map([
    ...elsewhere.map((text) => [text, 'a head that was kept elsewhere'] as const),
    ...rows.map(({ id, signed }) => [signed, `statement ${id} about the trail`] as const),
  ])
  const all = [...whichHas].map(([text, which]) => ({ which, says: readStatement(text, keys) }))
  const read = all.map(({ says }) => says)
  const good = read.filter((each): each is Statement => typeof each === 'object')
  return {
    heads: good.filter((each) => each.kind === 'head').toSorted(byPlace),
    begin: good
      .filter((each) => each.kind === 'begin')
      .toSorted((one, other) => one.position - other.position)
      .at(-1),
    cuts: good.filter((each) => each.kind === 'cut').map(({ rules }) => rules),
    otherKeys: read.filter((each) => each === 'unknown').length,
    findings: all
      .filter(({ says }) => says === 'false')
      .map(({ which }) => ({ what: 'forged', text: `${which} has a wrong signature` })),
  }
}
