import type { Cache } from '../cache/cache.ts'

/** One more, under an id that is a hash. */
export interface Attempt {
  id: string
  windowMillis: number
  now: Date
}

/** How many there have been in the window, with this one, and when it ends. */
export interface Counted {
  count: number
  endsAt: Date
}

/** The count lives as long as its window. When that ends is kept beside it, for who comes too often. */
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
