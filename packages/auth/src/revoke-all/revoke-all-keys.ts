import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts'

interface Request {
  caller: Caller
  includeCurrent?: boolean | undefined
  origin: RequestOrigin
}

export async function revokeAllKeys(
  auth: Needs<'db' | 'clock' | 'parts'>,
  { caller, includeCurrent = false, origin }: Request,
) {
  const { db, clock } = auth
  const { userId, keyId } = caller
  const now = clock.now()
  const keyIds = await db.transaction(async (tx) => {
    const account = await lockCaller(tx, caller)
    const spare = includeCurrent ? null : keyId
    const revocation = { account, spare, keepsProof: true, reason: 'revoke_all', now }
    const revoked = await signOutEverywhere(tx, auth, revocation)
    const details = { revokedCount: revoked.length, includeCurrent }
    await recordAudit(tx, { act: 'key.revoked_all', actor: userId, details, origin, at: now })
    return revoked
  })
  return { revokedCount: keyIds.length, currentKeyRevoked: keyIds.includes(keyId) }
}
