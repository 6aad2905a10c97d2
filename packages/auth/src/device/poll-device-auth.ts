import type { Tx } from '@svc/core'
import { tooMany } from '@svc/core/limits'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/accounts.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey, KeyLife } from '../capability/capability.ts'
import { hashToken, type TokenHash } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { findSignIn, successorLife } from '../keys/keys.ts'
import type { DeviceNeeds } from './device-held.ts'
import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from './errors.ts'
import { type DeviceRequest, findByDeviceCode, notePoll, spendApproved } from './store.ts'

type PollNeeds = DeviceNeeds<'db' | 'clock' | 'deviceAuth' | 'decisions' | 'ways'>

interface Poll {
  deviceCode: string
  /** How long the response may wait for a decision. */
  waitMillis: number
  origin: RequestOrigin
  /** Aborts when the client no longer waits for the response. */
  gone: AbortSignal
}

/** Signs the waiting device in, once a user has approved it. */
export async function pollDeviceAuth(auth: PollNeeds, { deviceCode, origin, ...wait }: Poll) {
  const { db, clock, deviceAuth } = auth
  const codeHash = hashToken(deviceCode)
  const found = await findByDeviceCode(db, codeHash)
  const request = isPending(found, clock.now())
    ? await afterPoll(auth, { codeHash, ...wait })
    : found
  // No key may be registered for a device that does not learn of it. It will poll again.
  if (isPending(request, clock.now()) || wait.gone.aborted) {
    return { status: 'pending' as const, intervalMillis: deviceAuth.intervalMs }
  }
  return collectApproval(auth, { request, origin })
}

function isPending(request: DeviceRequest | null, now: Date): request is DeviceRequest {
  return request?.state === 'pending' && request.expiresAt > now
}

interface Wait extends Pick<Poll, 'waitMillis' | 'gone'> {
  codeHash: TokenHash
}

/** Notes the poll, and returns the request as it is once the wait is over. */
async function afterPoll(auth: PollNeeds, { codeHash, ...wait }: Wait) {
  const { db, clock, deviceAuth } = auth
  const { intervalMs } = deviceAuth
  const now = clock.now()
  const since = new Date(now.getTime() - intervalMs)
  if (await notePoll(db, { codeHash, since, now })) return nextDecision(auth, { codeHash, ...wait })
  const request = await findByDeviceCode(db, codeHash)
  // It was decided just now: then it does not matter how early this poll came.
  if (!isPending(request, now)) return request
  throw tooMany(new Date((request.lastPolledAt ?? now).getTime() + intervalMs), now)
}

// Without a cache, a decision on another instance is found this soon.
const rereadMillis = 1_000

/** Holds no connection while it sleeps. */
async function nextDecision(
  { db, clock, decisions }: PollNeeds,
  { codeHash, waitMillis, gone }: Wait,
) {
  const endsAt = performance.now() + waitMillis
  for (;;) {
    const left = Math.max(endsAt - performance.now(), 0)
    // Listens before it looks, so that no decision falls between the two.
    const decision = decisions.next(codeHash, { millis: Math.min(left, rereadMillis), gone })
    const request = await findByDeviceCode(db, codeHash)
    const isOver = left === 0 || gone.aborted || decisions.isClosed
    if (isOver || !isPending(request, clock.now())) return request
    await decision
  }
}

interface Collection {
  request: DeviceRequest | null
  origin: RequestOrigin
}

/**
 * Spends an approval and registers the key in one transaction: if the key is refused, the request
 * stays approved. The account is locked first, so that neither a suspension nor a
 * sign-out-everywhere comes between.
 */
async function collectApproval(
  auth: DeviceNeeds<'db' | 'clock' | 'ways'>,
  { request, origin }: Collection,
) {
  const { db, clock } = auth
  const asked = clock.now()
  if (!isApproved(request, asked)) throw refusalOf(request, asked)
  return inTransaction(db, async (tx) => {
    const account = await approverOf(tx, request)
    const { userId, generation, publicId, passwordChangeRequired } = account
    const { codeHash } = request
    // Only now: the transaction may have waited for the account until the request expired.
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
      // The approval itself counts as a second factor.
      secondFactor: 'waived',
      succeeds: await lifeOf(tx, request, now),
      now,
    })
    const signedIn = { mfaRequired: false as const, userId, publicId, passwordChangeRequired }
    return { ...result, ...signedIn, status: 'approved' as const }
  })
}

/**
 * An approval is no sign-in. A device that was left signed in must not create one that counts as
 * just signed in, and a bound one must not create one that outlives its window. The new device has
 * signed in as that one has.
 */
async function lifeOf(
  tx: Tx,
  { binding, approvedByKeyId, ...approver }: DeviceRequest,
  now: Date,
): Promise<KeyLife> {
  const authenticatedAt = approver.authenticatedAt ?? new Date(0)
  const expiresAt = approver.keyExpiresAt ?? now
  const madeByKeyId = approvedByKeyId
  const signIn = madeByKeyId === null ? null : await findSignIn(tx, madeByKeyId)
  return successorLife({ ...signIn, binding, expiresAt, authenticatedAt, madeByKeyId }, now)
}

/** A refused one too: then the account gives the reason. */
function isApproved(request: DeviceRequest | null, now: Date): request is DeviceRequest {
  if (!request || request.generation === null || request.expiresAt <= now) return false
  return request.state === 'approved' || request.state === 'refused'
}

/**
 * If the account may not sign in, login's own refusals are thrown, even if its suspension has
 * refused the request.
 */
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
