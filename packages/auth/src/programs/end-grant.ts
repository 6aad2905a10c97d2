import { NotFoundError } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { endLockedGrant, findActiveGrant } from '../oauth2/oauth2.ts'
import { lockBelow, refuseLost } from '../roles/roles.ts'

interface Ending {
  caller: FreshCaller
  params: { grantId: string }
  body: { reason?: string | undefined }
  origin: RequestOrigin
}

/** Of an account that ranks below the caller's. The agent's next request is refused. */
export async function endAgentGrant(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, params: { grantId }, body, origin }: Ending,
) {
  const { userId: actor } = caller
  const reason = displayText(body.reason, 500)
  const now = clock.now()
  const isEnded = await inTransaction(db, async (tx) => {
    const grant = await findActiveGrant(tx, grantId)
    if (!grant) return false
    const { userId, clientId } = grant
    await lockBelow(tx, caller, userId)
    // What was revoked while this waited for the account counts: a key, or a permission.
    await lockFresh(tx, caller)
    await refuseLost(tx, caller)
    if (!(await endLockedGrant(tx, { grant, reason: 'operator', actor, origin, now }))) return false
    const details = { grantId, clientId, ...(reason && { reason }) }
    const entry = { actor, target: userId, details, origin, at: now }
    await recordAudit(tx, { act: 'user.agent_ended', ...entry })
    return true
  })
  if (!isEnded) throw new NotFoundError({ resource: 'grant' })
}
