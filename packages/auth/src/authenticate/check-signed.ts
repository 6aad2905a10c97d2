import { createHash } from 'node:crypto'
import { hashBody, type RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import { noteSigner } from '../caller/request-origin.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'
import { checkClaims } from './check-claims.ts'
import { refuseReplay } from './refuse-replay.ts'

/** A key has signed something, and its signature holds: is it this request, now, and for the first time? */
export async function checkSigned(
  raw: RawContext,
  { auth, jwt }: { auth: Auth; jwt: ParsedRequestJwt },
) {
  const now = auth.clock.now()
  const { keyId } = jwt
  const spendable = checkClaims(jwt, {
    now,
    binding: auth.env.SVC_AUTH_REQUEST_BINDING,
    method: raw.req.method,
    target: raw.req.target,
    audiences: raw.server.ownOrigins,
    bodyHash: await bodyHash(raw),
  })
  const isSpent = await refuseReplay(auth, { ...spendable, keyId, raw })
  noteSigner(raw, { keyId, proof: isSpent ? tokenOf(jwt) : null })
}

function tokenOf({ signed, signature }: ParsedRequestJwt) {
  return `${signed}.${signature.toString('base64url')}`
}

const hashOfNothing = createHash('sha256').digest('base64url')

async function bodyHash(raw: RawContext) {
  const { headers } = raw.incoming
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? (await hashBody(raw)).toString('base64url') : hashOfNothing
}
