import { type Db, settingsOf, type Tx } from '@svc/core'
import { is, sql } from 'drizzle-orm'
import { PgTransaction } from 'drizzle-orm/pg-core'

/** The role of PostgreSQL whose policy lets it see all organizations. It can't log in. */
export const acrossRole = 'svc_across_organizations'

/** What reading across needs. */
export interface AcrossDoor {
  /** The server's database, `currentDb()`, outside an organization. */
  readonly db: Db
  /** Writes the reason into the audit trail. Rows are read once it has. */
  readonly record: (db: Db, reason: string) => Promise<void>
}

/**
 * Runs a function that sees the tenant tables of all organizations, for a report or a correction.
 * The reason is recorded before any row is read, and stays if the function fails. Enqueue jobs after
 * it, not inside: the role may not write them.
 */
export async function acrossOrganizations<Result>(
  { db, record }: AcrossDoor,
  reason: string,
  run: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (reason.trim() === '') {
    throw new Error('Say why you read across organizations: the audit trail keeps the reason.')
  }
  if (settingsOf(db) || is(db, PgTransaction)) {
    throw new Error(
      'acrossOrganizations opens a transaction of its own, outside an organization: give it the database of the server, currentDb().',
    )
  }
  await record(db, reason)
  return db.transaction(async (tx) => {
    // The role ends with the transaction, as a setting does.
    await tx.execute(sql.raw(`set local role ${acrossRole}`))
    return run(tx)
  })
}
