import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { keysRevoked } from '../streams/revocations.ts'
import { KeyNotFoundError } from './errors.ts'
import { lockCaller, type Signer } from './lock-caller.ts'
import { isOwned, revokeActive } from './store.ts'

interface Revocation {
  caller: Signer
  keyId: string
  reason: 'revoked' | 'logout'
  origin: RequestOrigin
}

/** Ends one key of the account. A key that has ended already stays as it ended. */
export async function revokeKey(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, keyId, reason, origin }: Revocation,
) {
  const { userId } = caller
  const now = clock.now()
  await db.transaction(async (tx) => {
    // A device may end itself twice, as when it did not hear the answer; another one only while it is signed in.
    if (keyId !== caller.keyId) await lockCaller(tx, caller)
    const revoked = await revokeActive(tx, { keyId, userId, reason, now })
    if (!revoked) {
      if (await isOwned(tx, { keyId, userId, states: ['active', 'revoked'] })) return
      throw new KeyNotFoundError()
    }
    await recordAudit(tx, { act: `key.${reason}`, actor: userId, target: keyId, origin, at: now })
    await keysRevoked.emit({ userId, keyIds: [keyId], reason })
  })
}
