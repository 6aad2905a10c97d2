import type { Db } from '@svc/core'
import { findRole } from '../roles/hold-role.ts'
import { mayStillGrant } from './grant.ts'
import * as store from './store.ts'

/** What somebody who presents a token is offered; null where it is no good. Changes nothing. */
export async function findOffer(db: Db, presented: store.Presented) {
  const invitation = await store.findPresented(db, presented)
  const role = invitation && (await findRole(db, invitation.role))
  if (!role || !(await mayStillGrant(db, invitation.invitedBy, role))) return null
  return { invitation, role }
}
