import type { Tx } from '@svc/core'
import { findRole } from '../roles/hold-role.ts'
import { InvitationNotFoundError } from './errors.ts'
import * as store from './store.ts'

/** The role of an invitation, in whichever state, that somebody names by its id. */
export async function findRoleOf(tx: Tx, invitationId: string) {
  const invitation = await store.find(tx, invitationId)
  // A role that is deleted takes its invitations along.
  const role = invitation && (await findRole(tx, invitation.role))
  if (!role) throw new InvitationNotFoundError()
  return role
}
