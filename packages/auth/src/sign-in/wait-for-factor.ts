import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { type Registration } from '../capability/ways.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { registerKey } from '../keys/register-key.ts'
import { putChallenge } from './challenge-store.ts'

interface Waiting extends Registration {
  account: LockedAccount
  origin: RequestOrigin
  provider: string
}

/**
 * The first factor holds, and the second is due: the key is put under the account, where it signs nothing until the
 * challenge is spent. A sign-in that is sent again gets another challenge; the one before is void.
 */
export async function waitForFactor(tx: Tx, { env }: Needs<'env'>, waiting: Waiting) {
  const { account, key, provider, channel, origin, now } = waiting
  const { userId, generation } = account
  const { keyId } = key
  await registerKey(tx, { ...waiting, isPending: true })
  const secret = newToken()
  const expiresAt = new Date(now.getTime() + env.SVC_AUTH_MFA_CHALLENGE_TTL_MINUTES * 60_000)
  const hash = hashToken(secret)
  await putChallenge(tx, { hash, userId, keyId, generation, provider, channel, expiresAt })
  const details = { provider }
  await recordAudit(tx, {
    act: 'login.challenged',
    target: keyId,
    actor: userId,
    details,
    origin,
    at: now,
  })
  return { mfaRequired: true, challenge: { secret, expiresAtMillis: expiresAt.getTime() } }
}
