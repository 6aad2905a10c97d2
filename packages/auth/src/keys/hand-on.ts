import type { Tx } from '@svc/core'
import { handOnApprovals } from '../device/approvals.ts'
import { handOnGrants } from '../oauth2/made-grants.ts'
import { handOnKeys, type Succession } from './made-keys.ts'
import { noteSuccessor } from './successors.ts'

/**
 * A key replaces another, for example at a rotation: revoking it then ends what the other has let in, and revoking the
 * other ends it.
 */
export async function handOn(tx: Tx, succession: Succession) {
  await noteSuccessor(tx, succession)
  await handOnKeys(tx, succession)
  await handOnGrants(tx, succession)
  await handOnApprovals(tx, succession)
}
