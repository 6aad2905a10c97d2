import { ServiceUnavailableError } from '@svc/core'
import type { Needs } from '../auth.ts'
import { keptLongerMillis, spendOnce } from './spend-once.ts'

/** Something that a client has signed, which is good for one time over all instances. */
export interface SignedId {
  readonly id: string
  /** When the client says that it was signed: up to half a minute ahead of the server's time. */
  readonly issuedAt: Date
  /** When it is taken no more. */
  readonly expiresAt: Date
}

/** How far apart the clocks of two hosts of a cache may be, where one takes over from the other. */
const hostsApartMillis = 1_000

/**
 * True for the one caller who presents it first. While the spent ids cannot be reached it is 503, because the server
 * cannot say whether it is the first.
 *
 * A cache may lose what it holds. What was signed before it was born, by its own clock, may have been spent before, so
 * that is 503 with `Retry-After: 0`, and a signer signs again. A client whose clock is ahead could sign *now* what looks
 * younger than a birth to come: such an id is kept in the database as well, and the database is asked for what may
 * have been one of those, which is what looks younger than a cache of less than a quarter of an hour.
 */
export async function spendId(
  { cache, clock, db }: Needs<'cache' | 'clock' | 'db'>,
  { id, issuedAt, expiresAt }: SignedId,
) {
  if (!cache.shared) return spendOnce(db, id, expiresAt)
  const issued = issuedAt.getTime()
  const { outcome, bornAtMillis, nowMillis } = await cache.spend(cacheKeyOf(id), {
    // Beside a clock that a test moves, the birth of a cache says nothing.
    sinceMillis: clock.isVirtual ? Number.MAX_SAFE_INTEGER : issued - hostsApartMillis,
    ttlMillis: expiresAt.getTime() + keptLongerMillis - clock.now().getTime(),
  })
  if (outcome === 'unknown') throw signAgain()
  if (outcome === 'again') return false
  const isAhead = issued > nowMillis
  const mayHaveBeenAhead = issued < bornAtMillis + keptLongerMillis
  const isDoubted = !clock.isVirtual && (isAhead || mayHaveBeenAhead)
  return isDoubted ? spendOnce(db, id, expiresAt) : true
}

export const cacheKeyOf = (id: string) => `svc:auth:${id}`

/** Not a refusal: the key is good, and the same request signed again is taken. */
function signAgain() {
  return new ServiceUnavailableError({
    message: 'The server cannot say whether this was sent before. Sign it again.',
    retryAfter: 0,
  })
}
