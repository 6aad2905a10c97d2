import type { RawContext } from '@svc/core'
import { lockAccount } from '../../accounts/accounts.ts'
import { authOf } from '../../auth.ts'
import { checkSigned } from '../../authenticate/authenticate.ts'
import { requestOrigin } from '../../caller/caller.ts'
import type { NewDeviceKey } from '../../capability/fields.ts'
import { hashToken, parseRequestJwt, type TokenHash, verifySignature } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { checkNewKey } from '../../keys/keys.ts'
import { completeSignIn } from '../../sign-in/sign-in.ts'
import { OAuthPendingSessionError } from '../errors.ts'
import type { SocialHeld } from '../held.ts'
import type { Departure } from './contract.ts'
import { readPendingCookie } from './cookies.ts'
import { readLaterKey, readReturnUrl } from './leave.ts'
import { findPending, hashOfKey, type PendingRow, spendPending } from './pending.ts'

interface FinalizeBody extends Partial<Departure> {
  pendingToken?: string | undefined
}

/**
 * Signs in a user who has come back from a provider: with the key that was sent ahead, which signs,
 * or with one given now.
 */
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
  const result = await inTransaction(auth.db, async (tx) => {
    // Before the waiting sign-in: an account-wide revocation locks in this order.
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
  // If a key was sent ahead, it must sign.
  if (!pending || pending.publicKey !== null) throw new OAuthPendingSessionError()
  return { hash, pending, key }
}

/**
 * The sign-in that waits with the key which has signed this request. An attacker who has read its
 * id in a log can't sign.
 */
async function findSigningPending(raw: RawContext) {
  const auth = authOf(raw.server)
  const jwt = parseRequestJwt(raw.incoming.headersDistinct.authorization)
  if (!jwt) throw new OAuthPendingSessionError()
  const hash = hashOfKey(jwt.keyId)
  const pending = await findPending(auth.db, hash, auth.clock.now())
  const key = pending && keyOf(pending)
  if (!key) throw new OAuthPendingSessionError()
  const stored = { key: auth.publicKeys(key.publicKey), algorithm: key.algorithm }
  if (!verifySignature(jwt, stored)) throw new OAuthPendingSessionError()
  await checkSigned(raw, { auth, signed: jwt })
  return { hash, pending, key }
}

function keyOf(pending: PendingRow): NewDeviceKey | null {
  const { publicKey, keyId, fingerprint, algorithm, deviceName, platform } = pending
  if (!publicKey || !keyId || !fingerprint || !algorithm) return null
  return {
    publicKey,
    keyId,
    fingerprint,
    algorithm,
    ...(deviceName !== null && { deviceName }),
    ...(platform !== null && { platform }),
  }
}
