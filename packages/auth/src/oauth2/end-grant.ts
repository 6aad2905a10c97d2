import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { oauth2RevokedEvent } from '../events.ts'
import type { AgentNeeds } from '../oauth2-clients/agent-needs.ts'
import { endGrantRow, type GrantRow } from './store.ts'

export type GrantEnd = 'owner' | 'device_revoked' | 'client' | 'code_replayed' | 'refresh_replayed'

interface Ending {
  grant: Pick<GrantRow, 'grantId' | 'userId'>
  reason: GrantEnd
  actor: string | null
  origin: RequestOrigin
}

/** Ends a grant with every token of it. False when it had ended, or was never this account's. */
export async function endGrant({ db, clock }: AgentNeeds<'db' | 'clock'>, ending: Ending) {
  return db.transaction(async (tx) => {
    // The order of locks is that of a refresh: of the two, one comes first and the other sees it.
    await lockAccount(tx, ending.grant.userId)
    return endLockedGrant(tx, { ...ending, now: clock.now() })
  })
}

/** The same, for an account that is locked by now. */
export async function endLockedGrant(
  tx: Tx,
  { grant, reason, actor, origin, now }: Ending & { now: Date },
) {
  const { grantId, userId } = grant
  const ended = await endGrantRow(tx, { grantId, userId, reason, now })
  if (!ended) return false
  const { clientId } = ended
  const details = { clientId, reason }
  await recordAudit(tx, { act: 'oauth2.revoked', actor, target: grantId, details, origin, at: now })
  await oauth2RevokedEvent.emit({ userId, grantId, clientId, reason })
  return true
}
