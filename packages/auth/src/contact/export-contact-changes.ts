import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/most-exported.ts'
import { contactChanges } from './schema.ts'

// Columns are named one by one: a secret that the table gets later is not exported by itself.

export function exportContactChanges(db: Db, userId: string) {
  return db
    .select({
      kind: contactChanges.kind,
      state: contactChanges.state,
      oldValue: contactChanges.oldValue,
      newValue: contactChanges.newValue,
      createdAt: contactChanges.createdAt,
      endedAt: contactChanges.endedAt,
    })
    .from(contactChanges)
    .where(eq(contactChanges.userId, userId))
    .orderBy(desc(contactChanges.createdAt))
    .limit(mostExported)
}
