import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, isNull, lte, ne, or } from 'drizzle-orm'
import { lockAccount } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { RequestOrigin } from '../../caller/caller.ts'
import { oauth2RevokedEvent } from '../../events.ts'
import { inTransaction } from '../../in-transaction.ts'
import type { AgentNeeds } from '../clients/clients.ts'
import { oauth2Grants, oauth2Tokens } from './schema.ts'
import { endGrantRows, type GrantRow } from './store.ts'

export type GrantEnd =
  | 'owner'
  | 'operator'
  | 'device_revoked'
  | 'client'
  | 'unlinked'
  | 'code_replayed'
  | 'refresh_replayed'

interface Ending {
  grant: Pick<GrantRow, 'grantId' | 'userId'>
  reason: GrantEnd
  actor?: string | null | undefined
  origin?: RequestOrigin | undefined
}

/** Ends a grant with all its tokens and all that was exchanged for one of them. False if it had ended, or was never this account's. */
export async function endGrant({ db, clock }: AgentNeeds<'db' | 'clock'>, ending: Ending) {
  return inTransaction(db, async (tx) => {
    // Locks in the same order as a refresh: of the two, one comes first and the other sees it.
    await lockAccount(tx, ending.grant.userId)
    return endLockedGrant(tx, { ...ending, now: clock.now() })
  })
}

/** The same, for an account that is already locked. */
export async function endLockedGrant(
  tx: Tx,
  { grant, reason, actor, origin, now }: Ending & { now: Date },
) {
  const { userId } = grant
  const ended = await endGrantRows(tx, { ...grant, reason, now })
  for (const { grantId, clientId, actors } of ended) {
    const details = { clientId, reason, ...(actors && { actors }) }
    const entry = {
      actor: actor ?? null,
      target: grantId,
      details,
      at: now,
      ...(origin && { origin }),
    }
    await recordAudit(tx, { act: 'oauth2.revoked', ...entry })
    await oauth2RevokedEvent.emit({ userId, grantId, clientId, reason })
  }
  return ended.some(({ grantId }) => grantId === grant.grantId)
}

/** Deletes tokens and grants that give access to nothing, and whose replay would have no effect. */
export async function forgetGrants(db: Db, now: Date) {
  await db.delete(oauth2Tokens).where(lte(oauth2Tokens.expiresAt, now))
  // One of a tenant ends with its account, unless it was exchanged.
  const { expiresAt, tenant, ancestors } = oauth2Grants
  await db
    .delete(oauth2Grants)
    .where(and(lte(expiresAt, now), or(isNull(tenant), isNotNull(ancestors))))
}

/** For an account that is purged. */
export async function forgetGrantsOf(tx: Tx, userId: string) {
  await tx.delete(oauth2Grants).where(eq(oauth2Grants.userId, userId))
}

/** offered or active → revoked, for all grants of these accounts. Returns how many there were. */
export async function endGrantsOf(
  tx: Tx,
  { userIds, reason, now }: { userIds: string[]; reason: string; now: Date },
) {
  const { rowCount } = await tx
    .update(oauth2Grants)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(and(inArray(oauth2Grants.userId, userIds), ne(oauth2Grants.state, 'revoked')))
  return rowCount ?? 0
}
