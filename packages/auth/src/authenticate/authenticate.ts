import { createHash } from 'node:crypto'
import { defineMiddleware, type RawContext, readBody, UnauthorizedError } from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import { type ParsedRequestJwt, parseRequestJwt } from '../crypto/request-jwt.ts'
import { acceptCaller } from './accept-caller.ts'
import type { CallerRow } from './caller-row.ts'
import { checkClaims } from './check-claims.ts'
import { KeyExpiredError } from './errors.ts'
import { isSigned } from './is-signed.ts'
import { legacyCaller } from './legacy-jwt.ts'
import { refuseReplay } from './refuse-replay.ts'
import { noteSigner } from './request-origin.ts'

/**
 * Lets a request through when a live device key of an active account has signed it. Apply it to the whole router;
 * routes that are open to all skip `auth`.
 */
export const authenticate = defineMiddleware('auth', async (raw, next) => {
  await admit(raw)
  await next()
})

/** Finds out who signed a request, or refuses it. What costs more comes later. */
export async function admit(raw: RawContext) {
  const auth = authOf(raw.server)
  const { authorization } = raw.incoming.headersDistinct
  const jwt = parseRequestJwt(authorization)
  if (!jwt) return admitLegacy(raw, auth, authorization)
  const found = await auth.callers(jwt.keyId)
  // One refusal for a key that is unknown, revoked or waiting, and for a signature that is not the key's.
  if (!isSigned(jwt, found, auth.publicKeys)) throw new UnauthorizedError()
  const row = raw.incoming.complete ? found : await readAfterBody(raw, auth, found)
  await checkRequest(raw, { auth, jwt, row })
  acceptCaller(raw, row)
  auth.keyUse.note(row, raw)
}

/** Whoever holds the end of a body back must not act as what the key and its account were when it began. */
async function readAfterBody(raw: RawContext, { callers }: Auth, { keyId }: CallerRow) {
  await readBody(raw)
  const row = await callers(keyId)
  if (row?.state !== 'active') throw new UnauthorizedError()
  return row
}

interface Signed {
  auth: Auth
  jwt: ParsedRequestJwt
  row: CallerRow
}

/** The key's owner has signed something: is it this request, now, and for the first time? */
async function checkRequest(raw: RawContext, { auth, jwt, row }: Signed) {
  const now = auth.clock.now()
  if (row.keyExpiresAt <= now) throw new KeyExpiredError()
  const spendable = checkClaims(jwt, {
    now,
    binding: auth.env.SVC_AUTH_REQUEST_BINDING,
    method: raw.req.method,
    target: raw.req.target,
    audiences: raw.server.ownOrigins,
    bodyHash: await bodyHash(raw),
  })
  const isSpent = await refuseReplay(auth, { ...spendable, keyId: row.keyId, raw, now })
  noteSigner(raw, { keyId: row.keyId, proof: isSpent ? tokenOf(jwt) : null })
}

function tokenOf({ signed, signature }: ParsedRequestJwt) {
  return `${signed}.${signature.toString('base64url')}`
}

const hashOfNothing = hash(Buffer.alloc(0))

async function bodyHash(raw: RawContext) {
  const { headers } = raw.incoming
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? hash(await readBody(raw)) : hashOfNothing
}

function hash(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('base64url')
}

async function admitLegacy(raw: RawContext, auth: Auth, authorization: string[] | undefined) {
  let row = await legacyCaller(auth, authorization)
  if (row && !raw.incoming.complete) {
    await readBody(raw)
    row = await legacyCaller(auth, authorization)
  }
  if (!row) throw new UnauthorizedError()
  acceptCaller(raw, row)
}
