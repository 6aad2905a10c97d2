import { ServiceUnavailableError } from '@svc/core'
import type { Needs } from '../auth.ts'
import { keptLongerMillis, spendOnce } from './spend-once.ts'

/** Something that a client has signed, and that is accepted only once over all instances. */
export interface SignedId {
  readonly id: string
  /** The signing time according to the client: up to half a minute ahead of the server's time. */
  readonly issuedAt: Date
  /** When it is no longer accepted. */
  readonly expiresAt: Date
}

/** How far apart the clocks of two hosts of a cache may be when one takes over from the other. */
const hostsApartMillis = 1_000

/**
 * True for the caller who presents the id first. While the spent ids can't be reached it throws a 503, because the
 * server can't know whether the caller is the first.
 *
 * A cache may lose its contents. An id that was signed before the cache was born, by the cache's clock, may have been
 * spent before. So it is refused with 503 and `Retry-After: 0`, and the client signs again. A client whose clock is
 * ahead can sign an id *now* that looks younger than a later birth. Such an id is also stored in the database. An id
 * that was signed in the first quarter of an hour of a cache's life may be such an id, so the database is asked too.
 */
export async function spendId(
  { cache, clock, db }: Needs<'cache' | 'clock' | 'db'>,
  { id, issuedAt, expiresAt }: SignedId,
) {
  if (!cache.shared) return spendOnce(db, id, expiresAt)
  const issued = issuedAt.getTime()
  const { outcome, bornAtMillis, nowMillis } = await cache.spend(cacheKeyOf(id), {
    // With a test's clock, the birth of the cache means nothing.
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

/** Not a refusal: the key is valid, and the same request is accepted when it is signed again. */
function signAgain() {
  return new ServiceUnavailableError({
    message: 'The server cannot say whether this was sent before. Sign it again.',
    retryAfter: 0,
  })
}
