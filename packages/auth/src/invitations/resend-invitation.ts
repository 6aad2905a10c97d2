import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import type { NamedInvitation } from './cancel-invitation.ts'
import { InvitationClosedError } from './errors.ts'
import { findRoleOf } from './find-role-of.ts'
import { refuseGrant, refuseInactiveRole } from './grant.ts'
import { invited } from './invitation-item.ts'
import * as store from './store.ts'

/** Has another link mailed. The one before it is dead in the same commit. */
export async function resendInvitation(
  { db, clock, limits, linkMail }: Needs<'db' | 'clock' | 'limits' | 'linkMail'>,
  { caller, invitationId, origin }: NamedInvitation,
) {
  await limits.take('invitation by account', caller.userId)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const role = await findRoleOf(tx, invitationId)
    refuseInactiveRole(role)
    await refuseGrant(tx, caller, role)
    const by = { invitedBy: userId, locale: caller.locale, now }
    const renewed = await store.renew(tx, invitationId, by)
    if (!renewed) throw new InvitationClosedError()
    const done = { actor: userId, target: invitationId, origin, at: now }
    await recordAudit(tx, { act: 'invitation.resent', ...done })
    await linkMail.order(tx, { kind: 'invitation', id: invitationId })
    return invited(renewed)
  })
}
