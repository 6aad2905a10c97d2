import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { InvitationClosedError } from './errors.ts'
import { findRoleOf } from './find-role-of.ts'
import { refuseGrant } from './grant.ts'
import { invitationItem } from './invitation-item.ts'
import * as store from './store.ts'

export interface NamedInvitation {
  caller: Caller
  invitationId: string
  origin: RequestOrigin
}

/** Takes an invitation back. Whoever could not have made it cannot do that either. */
export async function cancelInvitation(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, invitationId, origin }: NamedInvitation,
) {
  const now = clock.now()
  return db.transaction(async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const role = await findRoleOf(tx, invitationId)
    await refuseGrant(tx, caller, role)
    const cancelled = await store.cancel(tx, invitationId, now)
    if (!cancelled) throw new InvitationClosedError()
    const done = { actor: userId, target: invitationId, origin, at: now }
    await recordAudit(tx, { act: 'invitation.cancelled', ...done })
    return invitationItem(cancelled, now)
  })
}
