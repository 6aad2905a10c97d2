import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/accounts.ts'
import type { AuditEntry, Caller, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { readUserCode } from '../crypto/crypto.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { fingerprintPrefix, lockCaller } from '../keys/keys.ts'
import { type DeviceAct, type DeviceNeeds, deviceDecidedEvent } from './device-held.ts'
import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from './errors.ts'
import {
  approvePending,
  claimPending,
  type DeviceRequest,
  denyPending,
  findByUserCode,
} from './store.ts'

/**
 * Shows the waiting device. From then on no other user can see it, and what ends the account's keys
 * ends it too.
 */
export async function getDeviceAuthInfo(auth: CodeNeeds, typed: TypedCode) {
  const claimed = await decideByCode(auth, typed, {
    lock: (tx) => lockCaller(tx, typed.caller),
    move: (tx, { account, ...code }) => claimPending(tx, { ...code, userId: account.userId }),
  })
  return waitingDevice(claimed)
}

type Approval = TypedCode & { caller: FreshCaller }

/** Lets the waiting device sign in as the caller. */
export async function approveDeviceAuth(auth: CodeNeeds, typed: Approval) {
  const { caller, origin } = typed
  const { authenticatedAt, binding, keyExpiresAt, keyId } = caller
  const approver = { authenticatedAt, binding, keyExpiresAt, approvedByKeyId: keyId || null }
  const approved = await decideByCode(auth, typed, {
    lock: (tx: Tx) => lockFresh(tx, caller),
    move: async (tx, { account, ...code }) => {
      const request = await approvePending(tx, account, { ...code, ...approver })
      if (!request) return null
      const { userId: actor } = account
      await recordDecision(tx, auth, {
        request,
        act: 'device.approved',
        actor,
        origin,
        at: code.now,
      })
      return request
    },
  })
  return waitingDevice(approved)
}

/** Refuses the waiting device. */
export async function denyDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { caller, origin } = typed
  await decideByCode(auth, typed, {
    lock: (tx) => lockCaller(tx, caller),
    move: async (tx, { account, ...code }) => {
      const { userId: actor } = account
      const request = await denyPending(tx, { ...code, userId: actor })
      if (!request) return null
      await recordDecision(tx, auth, { request, act: 'device.denied', actor, origin, at: code.now })
      return request
    },
  })
}

type CodeNeeds = DeviceNeeds<'db' | 'clock' | 'limits' | 'audit'>

/** A code that the caller has read from the screen of the waiting device. */
interface TypedCode {
  caller: Caller
  userCode: string
  origin: RequestOrigin
}

interface Move<Account> {
  account: Account
  userCode: string
  now: Date
}

interface Decision<Account> {
  lock: (tx: Tx) => Promise<Account>
  /** The one guarded UPDATE. Returns the row that it got. */
  move: (tx: Tx, given: Move<Account>) => Promise<DeviceRequest | null>
}

/**
 * Looks up a code, for reading, approving and denying. If there is no row, the caller learns as
 * much of the reason as they may.
 */
async function decideByCode<Account extends LockedAccount>(
  { db, clock, limits }: CodeNeeds,
  { caller, userCode: typed, origin }: TypedCode,
  { lock, move }: Decision<Account>,
) {
  await limits.take('device code by address', origin.address)
  await limits.take('device code by account', caller.userId)
  const userCode = readUserCode(typed)
  if (userCode === null) throw new DeviceAuthNotFoundError()
  return inTransaction(db, async (tx) => {
    // Locks the account first, as everywhere: a sign-out-everywhere has it locked while it refuses
    // waiting devices.
    const account = await lock(tx)
    const now = clock.now()
    const moved = await move(tx, { account, userCode, now })
    if (moved) return moved
    throw refusalOf(await findByUserCode(tx, userCode), { userId: account.userId, now })
  })
}

/** Another user's request is refused like an unknown one, in every state. */
function refusalOf(request: DeviceRequest | null, { userId, now }: { userId: string; now: Date }) {
  const isFree = request?.claimedBy === null && request.state === 'pending'
  const isTheirs = request?.claimedBy === userId
  if (!request || request.state === 'spent' || !(isFree || isTheirs)) {
    return new DeviceAuthNotFoundError()
  }
  if (request.expiresAt <= now) return new DeviceAuthExpiredError()
  return new DeviceAuthAlreadyHandledError()
}

interface Decided extends Pick<AuditEntry, 'actor' | 'origin' | 'at'> {
  act: DeviceAct
}

/** Records which user decided over which device, and wakes the poll that waits for it. */
async function recordDecision(
  tx: Tx,
  { audit }: DeviceNeeds<'audit'>,
  { request, act, ...decision }: Decided & { request: DeviceRequest },
) {
  const { keyId: target, codeHash } = request
  await audit(tx, act, { ...decision, target, details: shownOf(request) })
  await deviceDecidedEvent.emit({ codeHashes: [codeHash] })
}

/** The details by which a user recognises the waiting device. */
function shownOf({ deviceName, platform, fingerprint }: DeviceRequest) {
  return {
    ...(deviceName !== null && { deviceName }),
    ...(platform !== null && { platform }),
    fingerprintPrefix: fingerprintPrefix(fingerprint),
  }
}

/** The details that the approver sees. */
function waitingDevice(request: DeviceRequest) {
  return {
    ...shownOf(request),
    requestedAtMillis: request.requestedAt.getTime(),
    expiresAtMillis: request.expiresAt.getTime(),
  }
}
