import { type HandlerContext, NotFoundError } from '@svc/core'
import { getAuth } from '../caller/caller.ts'

interface Ownership<Owned> {
  /** What the 404 calls it, such as `Order`. */
  resource: string
  /** The user id of its owner; null if it has none. */
  ownerId: (owned: Owned) => string | null
}

/**
 * Returns what you loaded if the caller is its owner. Otherwise it throws the same 404, whether it is another user's or
 * doesn't exist, so that an attacker who tries ids doesn't learn which ones exist.
 */
export function requireOwner<Owned>(
  c: HandlerContext,
  loaded: Owned | null | undefined,
  { resource, ownerId }: Ownership<Owned>,
): Owned {
  const { userId } = getAuth(c)
  const isTheirs = loaded !== null && loaded !== undefined && ownerId(loaded) === userId
  if (!isTheirs) throw new NotFoundError({ resource })
  return loaded
}
