import type { Db } from '@svc/core'
import { and, eq, inArray } from 'drizzle-orm'
import { statusesOf } from '../../accounts/accounts.ts'
import { isUuid } from '../../pg-schema.ts'
import { auditEvents } from '../schema.ts'
import type { Statements } from './read-statements.ts'
import { isPast } from './retention-rules.ts'

const purge = 'deletion.completed'

interface Blanked extends Pick<Statements, 'cuts'> {
  /** Of the row. */
  readonly at: string
}

/**
 * Which of these accounts are gone. Where nothing is left of one, its purge has left a row: an id that never was an
 * account's excuses nothing.
 */
export async function purgedAmong(db: Db, owners: readonly string[]) {
  const ids = [...new Set(owners.filter(isUuid))]
  const statuses = await statusesOf(db, ids)
  const told = await purgesAmong(
    db,
    ids.filter((id) => !statuses.has(id)),
  )
  return {
    has(owner: string, { at, cuts }: Blanked) {
      const status = statuses.get(owner)
      if (status || !isUuid(owner)) return status === 'deleted'
      // Retention may have let go of the purge's row, which is younger than this one.
      return told.has(owner) || isPast(cuts, { act: purge, at })
    },
  }
}

async function purgesAmong(db: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return new Set<string | null>()
  const { act, target } = auditEvents
  const rows = await db
    .select({ target })
    .from(auditEvents)
    .where(and(inArray(target, [...userIds]), eq(act, purge)))
  return new Set(rows.map((row) => row.target))
}
