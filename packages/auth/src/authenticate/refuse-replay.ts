import type { RawContext } from '@svc/core'
import type { Needs } from '../auth.ts'
import { RequestReplayedError } from '../caller/errors.ts'
import { spendId } from '../once/spend-id.ts'
import type { SpendableToken } from './check-claims.ts'

const changesNothing = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Admission extends SpendableToken {
  raw: RawContext
  keyId: string
}

/** A request that changes something can be sent only once. Returns true if this call spends its token. */
export async function refuseReplay(
  auth: Needs<'cache' | 'clock' | 'db'>,
  { raw, keyId, jti, issuedAt, expiresAt }: Admission,
) {
  if (changesNothing.has(raw.req.method) || jti === null) return false
  const isFirst = await spendId(auth, { id: `request:${keyId}:${jti}`, issuedAt, expiresAt })
  if (!isFirst) throw new RequestReplayedError()
  return true
}
