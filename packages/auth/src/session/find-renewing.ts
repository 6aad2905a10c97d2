import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import { findSigner } from '../authenticate/find-signer.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import { parseRequestJwt } from '../crypto/request-jwt.ts'
import { isRenewable, renewableAfter } from '../keys/renewable.ts'
import { SessionRenewalRefusedError } from './errors.ts'

interface Asked {
  raw: RawContext
  expiredKeyId: string
}

/**
 * The bound key that asks to be renewed, by its signature: `authenticate` takes it no more. Its account is asked for
 * once a passkey has signed too.
 */
export function findRenewing(auth: Auth, { raw, expiredKeyId }: Asked): Promise<CallerRow> {
  const jwt = parseRequestJwt(raw.incoming.headersDistinct.authorization)
  if (jwt?.keyId !== expiredKeyId) throw new SessionRenewalRefusedError()
  const refuseEnded = (row: CallerRow, now: Date) => {
    if (!isRenewable(row, renewableAfter(auth, now))) throw new SessionRenewalRefusedError()
  }
  return findSigner(raw, { auth, jwt, refuseEnded })
}
