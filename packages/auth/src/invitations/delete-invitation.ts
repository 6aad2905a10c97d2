import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import type { NamedInvitation } from './cancel-invitation.ts'
import { InvitationNotFoundError } from './errors.ts'
import * as store from './store.ts'

/** Removes the row. An account that was opened by it stays as it is. */
export async function deleteInvitation(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, invitationId, origin }: NamedInvitation & { caller: FreshCaller },
) {
  await db.transaction(async (tx) => {
    const { userId } = await lockFresh(tx, caller)
    if (!(await store.remove(tx, invitationId))) throw new InvitationNotFoundError()
    const done = { actor: userId, target: invitationId, origin, at: clock.now() }
    await recordAudit(tx, { act: 'invitation.deleted', ...done })
  })
}
