import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import { spendOnce } from '../once/spend-once.ts'
import type { SpendableToken } from './check-claims.ts'
import { RequestReplayedError } from './errors.ts'

const changesNothing = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Admission extends SpendableToken {
  raw: RawContext
  keyId: string
  now: Date
}

/**
 * A request that changes something is good for one time; true when its token is spent by this. Where the spent ids are
 * cannot be reached, the request is refused with 503: nobody could say whether it was the first.
 */
export async function refuseReplay(
  { cache, db }: Pick<Auth, 'cache' | 'db'>,
  { raw, keyId, jti, expiresAt, now }: Admission,
) {
  if (changesNothing.has(raw.req.method) || jti === null) return false
  const id = `request:${keyId}:${jti}`
  const isFirst = cache.shared
    ? await cache.setIfAbsent(`svc:auth:${id}`, '1', expiresAt.getTime() - now.getTime())
    : await spendOnce(db, id, expiresAt)
  if (!isFirst) throw new RequestReplayedError()
  return true
}
