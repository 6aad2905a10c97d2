import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { Succession } from '../capability/account-parts.ts'
import { handOnKeys } from './made-keys.ts'
import { noteSuccessor } from './successors.ts'

/**
 * A key replaces another, for example at a rotation: revoking it then ends what the other has let in, and revoking the
 * other ends it.
 */
export async function handOn(tx: Tx, { parts }: Needs<'parts'>, succession: Succession) {
  await noteSuccessor(tx, succession)
  await handOnKeys(tx, succession)
  await parts.made.handOn(tx, succession)
}
