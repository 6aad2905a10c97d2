import type { Tx } from '@svc/core'
import { raiseGeneration } from '../accounts/raise-generation.ts'
import type { Needs } from '../auth.ts'
import type { AccountWideRevocation } from '../capability/ways.ts'
import { forgetKnownIds } from '../keys/known-id.ts'
import { forgetProofs } from '../keys/note-proof.ts'
import { revokeEveryKey } from '../keys/revoke-every-key.ts'
import { keysRevoked } from '../streams/revocations.ts'

/**
 * The one way out: ends everything that could act as the account, in the caller's transaction. The generation first,
 * so that whatever was checked before registers no key after, and mailed links are dead; waiting devices before keys,
 * so that no approval becomes a key behind it.
 */
export async function signOutEverywhere(
  tx: Tx,
  { parts }: Needs<'parts'>,
  revocation: AccountWideRevocation,
) {
  const { account, spare, keepsProof = false, reason, now } = revocation
  const { userId } = account
  await raiseGeneration(tx, account)
  await parts.refuseWaiting(tx, { userId, now })
  // If the credentials have changed, the device that stays must prove the second factor again.
  await forgetProofs(tx, userId, keepsProof ? spare : null)
  const ending = { userIds: [userId], spare, reason, now }
  const keyIds = (await revokeEveryKey(tx, ending)).map(({ keyId }) => keyId)
  await forgetKnownIds(tx, ending)
  if (keyIds.length > 0) await keysRevoked.emit({ userId, keyIds, reason })
  return keyIds
}
