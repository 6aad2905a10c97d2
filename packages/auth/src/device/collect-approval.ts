import type { Tx } from '@svc/core'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/lock-account.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { CheckedKey } from '../capability/ways.ts'
import { type KeyLife } from '../capability/ways.ts'
import type { TokenHash } from '../crypto/token.ts'
import { successorLife } from '../keys/key-life.ts'
import type { DeviceNeeds } from './device-held.ts'
import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from './errors.ts'
import { type DeviceRequest, findByDeviceCode, spendApproved } from './store.ts'

interface Collection {
  request: DeviceRequest | null
  origin: RequestOrigin
}

/**
 * Spends an approval and registers the key in one transaction: whatever refuses the key leaves the request approved.
 * The account is locked first, so that neither a suspension nor a sign-out-everywhere comes between.
 */
export async function collectApproval(
  auth: DeviceNeeds<'db' | 'clock' | 'ways'>,
  { request, origin }: Collection,
) {
  const { db, clock } = auth
  const asked = clock.now()
  if (!isApproved(request, asked)) throw refusalOf(request, asked)
  return db.transaction(async (tx) => {
    const account = await approverOf(tx, request)
    const { userId, generation, publicId, passwordChangeRequired } = account
    const { codeHash } = request
    // Not before: it may have waited for the account until its time was up.
    const now = clock.now()
    if (!(await spendApproved(tx, { codeHash, userId, generation, now }))) {
      throw refusalOf(await findByDeviceCode(tx, codeHash as TokenHash), now)
    }
    const result = await auth.ways.completeSignIn(tx, {
      userId,
      generation,
      key: keyOf(request),
      origin,
      provider: 'device',
      // The approval is a second factor itself.
      secondFactor: 'waived',
      succeeds: lifeOf(request, now),
      now,
    })
    const signedIn = { mfaRequired: false as const, userId, publicId, passwordChangeRequired }
    return { ...result, ...signedIn, status: 'approved' as const }
  })
}

/**
 * An approval is no sign-in: a device that was left signed in must not make one that has just signed in, nor a bound
 * one what outlives its window.
 */
function lifeOf({ binding, approvedByKeyId, ...approver }: DeviceRequest, now: Date): KeyLife {
  const authenticatedAt = approver.authenticatedAt ?? new Date(0)
  const expiresAt = approver.keyExpiresAt ?? now
  const madeByKeyId = approvedByKeyId
  return successorLife({ binding, expiresAt, authenticatedAt, madeByKeyId }, now)
}

/** Refused, too: then the account says why. */
function isApproved(request: DeviceRequest | null, now: Date): request is DeviceRequest {
  if (!request || request.generation === null || request.expiresAt <= now) return false
  return request.state === 'approved' || request.state === 'refused'
}

/** Where the account may not sign in, login's own refusals are thrown: also when its suspension has refused the request. */
async function approverOf(tx: Tx, { claimedBy }: DeviceRequest): Promise<LockedAccount> {
  const account = claimedBy === null ? null : await lockAccount(tx, claimedBy)
  if (!account || account.status === 'deleted') throw new DeviceAuthDeniedError()
  refuseInactive(account)
  return account
}

function refusalOf(request: DeviceRequest | null, now: Date) {
  if (!request || request.state === 'spent') return new DeviceAuthNotFoundError()
  if (request.expiresAt <= now) return new DeviceAuthExpiredError()
  return new DeviceAuthDeniedError()
}

function keyOf({ publicKey, algorithm, fingerprint, keyId, ...shown }: DeviceRequest): CheckedKey {
  const { deviceName, platform } = shown
  return {
    publicKey,
    algorithm,
    fingerprint,
    keyId,
    deviceName: deviceName ?? undefined,
    platform: platform ?? undefined,
  }
}
