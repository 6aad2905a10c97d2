import type { Tx } from '@svc/core'
import { tooMany } from '@svc/core/limits'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/accounts.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey, KeyLife } from '../capability/capability.ts'
import { hashToken, type TokenHash } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { successorLife } from '../keys/keys.ts'
import type { DeviceNeeds } from './device-held.ts'
import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from './errors.ts'
import { type DeviceRequest, findByDeviceCode, notePoll, spendApproved } from './store.ts'

type PollNeeds = DeviceNeeds<'db' | 'clock' | 'deviceAuth' | 'decisions' | 'ways'>

interface Poll {
  deviceCode: string
  /** How long the answer may wait for a decision. */
  waitMillis: number
  origin: RequestOrigin
  /** Aborts when the client no longer waits for the answer. */
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
  // A key must not be registered for a device that is not told of it: it asks again.
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

/** Notes the poll, and answers the request as it is once the wait is over. */
async function afterPoll(auth: PollNeeds, { codeHash, ...wait }: Wait) {
  const { db, clock, deviceAuth } = auth
  const { intervalMs } = deviceAuth
  const now = clock.now()
  const since = new Date(now.getTime() - intervalMs)
  if (await notePoll(db, { codeHash, since, now })) return nextDecision(auth, { codeHash, ...wait })
  const request = await findByDeviceCode(db, codeHash)
  // Decided just now: then it does not matter how soon this poll came.
  if (!isPending(request, now)) return request
  throw tooMany(new Date((request.lastPolledAt ?? now).getTime() + intervalMs), now)
}

// Where no cache tells of a decision on another instance, it is found out this soon.
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
