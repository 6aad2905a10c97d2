import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { readUserCode } from '../crypto/user-code.ts'
import type { DeviceNeeds } from './device-held.ts'
import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from './errors.ts'
import { type DeviceRequest, findByUserCode } from './store.ts'

export type CodeNeeds = DeviceNeeds<'db' | 'clock' | 'limits' | 'audit'>

/** A code that the caller has read from the screen of the device that waits. */
export interface TypedCode {
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
  /** The one guarded UPDATE, which answers the row that it got. */
  move: (tx: Tx, given: Move<Account>) => Promise<DeviceRequest | null>
}

/**
 * Looks up a code, for reading, approving and denying. If there is no row, the caller gets as much of the reason as
 * they may know.
 */
export async function decideByCode<Account extends LockedAccount>(
  { db, clock, limits }: CodeNeeds,
  { caller, userCode: typed, origin }: TypedCode,
  { lock, move }: Decision<Account>,
) {
  await limits.take('device code by address', origin.address)
  await limits.take('device code by account', caller.userId)
  const userCode = readUserCode(typed)
  if (userCode === null) throw new DeviceAuthNotFoundError()
  return db.transaction(async (tx) => {
    // The account first, as everywhere: a sign-out-everywhere holds it while it refuses the devices that wait.
    const account = await lock(tx)
    const now = clock.now()
    const moved = await move(tx, { account, userCode, now })
    if (moved) return moved
    throw refusalOf(await findByUserCode(tx, userCode), { userId: account.userId, now })
  })
}

/** Somebody else's request is an unknown one, whatever has become of it. */
function refusalOf(request: DeviceRequest | null, { userId, now }: { userId: string; now: Date }) {
  const isFree = request?.claimedBy === null && request.state === 'pending'
  const isTheirs = request?.claimedBy === userId
  if (!request || request.state === 'spent' || !(isFree || isTheirs)) {
    return new DeviceAuthNotFoundError()
  }
  if (request.expiresAt <= now) return new DeviceAuthExpiredError()
  return new DeviceAuthAlreadyHandledError()
}
