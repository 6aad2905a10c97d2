import type { Tx } from '@svc/core'
import { and, eq, gte } from 'drizzle-orm'
import type { RequestOrigin } from '../../caller/request-origin.ts'
import { socialAccounts } from '../accounts/schema.ts'
import { unlinked } from './unlinked.ts'

interface Dropping {
  userId: string
  since: Date
  origin: RequestOrigin
  now: Date
}

/** Takes away every way in that was added at that moment or later: somebody else may hold it. */
export async function dropLinksSince(tx: Tx, { userId, since, origin, now }: Dropping) {
  const added = and(eq(socialAccounts.userId, userId), gte(socialAccounts.linkedAt, since))
  const dropped = await tx.delete(socialAccounts).where(added).returning()
  for (const gone of dropped) {
    await unlinked(tx, { gone, reason: 'contact_undo', actor: userId, origin, now })
  }
}
