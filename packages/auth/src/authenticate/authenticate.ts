import { defineMiddleware, type RawContext, receiveBody, UnauthorizedError } from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import { KeyExpiredError } from '../caller/errors.ts'
import { parseRequestJwt } from '../crypto/request-jwt.ts'
import { ProofError } from '../proof/errors.ts'
import { hasProof } from '../proof/read-proof.ts'
import { acceptCaller } from './accept-caller.ts'
import { signedRequest } from './credentials.ts'
import { findSigner } from './find-signer.ts'
import { legacyCaller } from './legacy-jwt.ts'

/**
 * Lets a request through when a live device key of an active account has signed it. Apply it to the whole router;
 * routes that are open to all skip `auth`.
 */
export const authenticate = defineMiddleware(
  'auth',
  async (raw, next) => {
    await admit(raw)
    await next()
  },
  { documents: signedRequest },
)

/** Finds out who signed a request, or refuses it. */
export async function admit(raw: RawContext) {
  // A proof counts where the contract of devices asks for one, and that is not here.
  if (hasProof(raw)) throw new ProofError('PROFILE_REJECTED')
  const auth = authOf(raw.server)
  const { authorization } = raw.incoming.headersDistinct
  const jwt = parseRequestJwt(authorization)
  if (!jwt) return admitLegacy(raw, auth, authorization)
  const row = await findSigner(raw, { auth, jwt, refuseEnded })
  acceptCaller(raw, row)
  auth.keyUse.note(row, raw)
}

function refuseEnded({ keyExpiresAt }: CallerRow, now: Date) {
  if (keyExpiresAt <= now) throw new KeyExpiredError()
}

async function admitLegacy(raw: RawContext, auth: Auth, authorization: string[] | undefined) {
  let row = await legacyCaller(auth, authorization)
  if (row && !raw.incoming.complete) {
    await receiveBody(raw)
    row = await legacyCaller(auth, authorization)
  }
  if (!row) throw new UnauthorizedError()
  acceptCaller(raw, row)
}
