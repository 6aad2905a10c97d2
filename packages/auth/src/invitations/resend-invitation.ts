import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { ProvableCaller } from '../caller/caller.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import type { NamedInvitation } from './cancel-invitation.ts'
import { InvitationClosedError } from './errors.ts'
import { findRoleOf } from './find-role-of.ts'
import { grantRole } from './grant.ts'
import { invited } from './invitation-item.ts'
import * as store from './store.ts'

/** Has another link mailed. The one before it is dead in the same commit. */
export async function resendInvitation(
  auth: Needs<'db' | 'clock' | 'env' | 'limits' | 'linkMail'>,
  { caller, invitationId, origin }: NamedInvitation & { caller: ProvableCaller },
) {
  const { db, clock, limits, linkMail } = auth
  await limits.take('invitation by account', caller.userId)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const found = await findRoleOf(tx, invitationId)
    const role = await grantRole(tx, auth, { caller, role: found, operation: 'resendInvitation' })
    const by = { invitedBy: userId, locale: caller.locale, now }
    const renewed = await store.renew(tx, invitationId, { role, ...by })
    if (!renewed) throw new InvitationClosedError()
    const done = { actor: userId, target: invitationId, origin, at: now }
    await recordAudit(tx, { act: 'invitation.resent', ...done })
    await linkMail.order(tx, { kind: 'invitation', id: invitationId })
    return invited(renewed)
  })
}
