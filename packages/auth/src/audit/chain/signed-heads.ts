import type { Db } from '@svc/core'
import { and, asc, eq, sql } from 'drizzle-orm'
import { auditStatements } from '../schema.ts'
import { type Place, placeOf, readStatement, signedText, type TrailKey } from './statements.ts'

export type SignedHeads = Awaited<ReturnType<typeof signedHeads>>

const stepSize = 1000

/** The heads in the table by their places. A signature costs more than all else, so it is checked where it is needed. */
export async function signedHeads(db: Db, key: TrailKey) {
  const byPosition = new Map<number, string[]>()
  for await (const signed of headsIn(db)) {
    const position = placeOf(signed)
    if (position !== null) byPosition.set(position, [...(byPosition.get(position) ?? []), signed])
  }
  return {
    /** Whether all heads of this place, if there are any, are of this seal. */
    areOf: ({ position, digest }: Place) =>
      (byPosition.get(position) ?? []).every((signed) => {
        const head = readStatement(signed, [key.publicKey])
        return typeof head === 'string' || head.kind !== 'head' || head.digest === digest
      }),
  }
}

async function* headsIn(db: Db) {
  const { statementId, kind } = auditStatements
  // As text: an attacker's number has any digits.
  let after = '0'
  for (;;) {
    const rows = await db
      .select({ id: sql<string>`${statementId}::text`, signed: signedText })
      .from(auditStatements)
      .where(and(eq(kind, 'head'), sql`${statementId} > ${after}::bigint`))
      .orderBy(asc(statementId))
      .limit(stepSize)
    for (const row of rows) yield row.signed
    after = rows.at(-1)?.id ?? after
    if (rows.length < stepSize) return
  }
}
