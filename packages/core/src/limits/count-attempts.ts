import type { Cache } from '../cache/cache.ts'

/** One more attempt, under an id that is a hash. */
export interface Attempt {
  id: string
  windowMillis: number
  now: Date
}

/** Counts several at once. An amount of 0 adds nothing and returns the count. */
export interface Amount extends Attempt {
  amount: number
}

/**
 * How many attempts there have been in the window, including this one, and when the window ends.
 */
export interface Counted {
  count: number
  endsAt: Date
}

/**
 * The count lives as long as its window. The end of the window is kept beside it, to tell a client
 * over the limit when to come again.
 */
export async function countInCache(
  { cache, prefix }: { cache: Cache; prefix: string },
  { id, windowMillis, now }: Attempt,
): Promise<Counted> {
  const count = await cache.increment(`${prefix}:limit:${id}`, windowMillis)
  const latest = new Date(now.getTime() + windowMillis)
  const end = `${prefix}:limit-end:${id}`
  if (count === 1) {
    await cache.set(end, latest.toISOString(), windowMillis)
    return { count, endsAt: latest }
  }
  const kept = await cache.get(end)
  return { count, endsAt: kept === null ? latest : new Date(kept) }
}
