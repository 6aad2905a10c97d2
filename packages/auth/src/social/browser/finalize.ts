import type { RawContext } from '@svc/core'
import { lockAccount } from '../../accounts/lock-account.ts'
import { requestOrigin } from '../../caller/request-origin.ts'
import type { NewDeviceKey } from '../../capability/key-fields.ts'
import { hashToken, type TokenHash } from '../../crypto/token.ts'
import { checkNewKey } from '../../keys/check-new-key.ts'
import { completeSignIn } from '../../sign-in/complete-sign-in.ts'
import type { SocialHeld } from '../held.ts'
import { OAuthPendingSessionError } from './errors.ts'
import { findSigningPending } from './find-signing-pending.ts'
import { readLaterKey } from './later-key.ts'
import type { Departure } from './operations.ts'
import { readPendingCookie } from './pending-cookie.ts'
import { readReturnUrl } from './return-url.ts'
import { findPending, type PendingRow, spendPending } from './store.ts'

interface FinalizeBody extends Partial<Departure> {
  pendingToken?: string | undefined
}

/** Signs in who has come back from a provider: with the key that was sent ahead, which signs, or with one given now. */
export async function finalize(
  auth: SocialHeld,
  { raw, body }: { raw: RawContext; body: FinalizeBody },
) {
  const returnUrl = body.returnUrl === undefined ? null : readReturnUrl(body.returnUrl)
  const { hash, pending, key } = await findWaiting(auth, raw, body)
  const { userId, generation, provider, isNewUser } = pending
  const origin = requestOrigin(raw)
  const checked = checkNewKey(key)
  const now = auth.clock.now()
  const result = await auth.db.transaction(async (tx) => {
    // Before what waits: an account-wide revocation takes them in this order.
    await lockAccount(tx, userId)
    const isFirst = await spendPending(tx, hash, now)
    if (!isFirst) throw new OAuthPendingSessionError()
    return completeSignIn(tx, auth, {
      userId,
      generation,
      key: checked,
      origin,
      provider,
      channel: 'finalize',
      isNewUser,
      now,
    })
  })
  return { ...result, keyId: key.keyId, returnUrl: returnUrl ?? pending.returnUrl }
}

interface Waiting {
  hash: TokenHash
  pending: PendingRow
  key: NewDeviceKey
}

async function findWaiting(
  auth: SocialHeld,
  raw: RawContext,
  body: FinalizeBody,
): Promise<Waiting> {
  const token = body.pendingToken ?? readPendingCookie(raw, auth)
  const key = readLaterKey(body)
  if (token === null || key === null) return findSigningPending(raw)
  const hash = hashToken(token)
  const pending = await findPending(auth.db, hash, auth.clock.now())
  // A key that was sent ahead has to sign.
  if (!pending || pending.publicKey !== null) throw new OAuthPendingSessionError()
  return { hash, pending, key }
}
