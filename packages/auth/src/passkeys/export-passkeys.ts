import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/most-exported.ts'
import { passkeys } from './schema.ts'

// Columns are named one by one: a secret that the table gets later is not exported by itself.

export function exportPasskeys(db: Db, userId: string) {
  return db
    .select({
      passkeyId: passkeys.passkeyId,
      credentialId: passkeys.credentialId,
      deviceType: passkeys.deviceType,
      backedUp: passkeys.backedUp,
      transports: passkeys.transports,
      aaguid: passkeys.aaguid,
      label: passkeys.label,
      secondFactor: passkeys.secondFactor,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), passkeys.passkeyId)
    .limit(mostExported)
}
