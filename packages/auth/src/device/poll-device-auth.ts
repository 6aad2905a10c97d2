import type { RequestOrigin } from '../caller/request-origin.ts'
import { hashToken, type TokenHash } from '../crypto/token.ts'
import { tooMany } from '../limits/limits.ts'
import { collectApproval } from './collect-approval.ts'
import type { DeviceNeeds } from './device-held.ts'
import { type DeviceRequest, findByDeviceCode, notePoll } from './store.ts'

type PollNeeds = DeviceNeeds<'db' | 'clock' | 'deviceAuth' | 'decisions' | 'ways'>

interface Poll {
  deviceCode: string
  /** How long the answer may wait for a decision. */
  waitMillis: number
  origin: RequestOrigin
  /** Aborts when nobody waits for the answer any more. */
  gone: AbortSignal
}

/** Signs the waiting device in, once somebody has approved it. */
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
