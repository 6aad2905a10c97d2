import { type HandlerContext, NotFoundError } from '@svc/core'
import { getAuth } from '../caller/caller.ts'

interface Ownership<Owned> {
  /** What the 404 calls it, such as `Order`. */
  resource: string
  /** The user id of its owner; null where it has none. */
  ownerId: (owned: Owned) => string | null
}

/**
 * What was loaded, if the caller is its owner. Else it is one 404, whether it is somebody else's or there is none: a
 * caller who tries ids is not told which exist.
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
