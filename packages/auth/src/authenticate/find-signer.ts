import { createHash } from 'node:crypto'
import { type RawContext, readBody, UnauthorizedError } from '@svc/core'
import type { Auth } from '../auth.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'
import type { CallerRow } from './caller-row.ts'
import { checkClaims } from './check-claims.ts'
import { isSigned } from './is-signed.ts'
import { refuseReplay } from './refuse-replay.ts'
import { noteSigner } from './request-origin.ts'

interface Signed {
  auth: Auth
  jwt: ParsedRequestJwt
  /** Refuses a key whose life is over. Told to nobody but who has signed with it. */
  refuseEnded: (row: CallerRow, now: Date) => void
}

/** The device key that has signed this very request, just now and for the first time. What costs more comes later. */
export async function findSigner(raw: RawContext, signed: Signed): Promise<CallerRow> {
  const { auth, jwt } = signed
  const found = await auth.callers(jwt.keyId)
  // One refusal for a key that is unknown, revoked or waiting, and for a signature that is not the key's.
  if (!isSigned(jwt, found, auth.publicKeys)) throw new UnauthorizedError()
  const row = raw.incoming.complete ? found : await readAfterBody(raw, auth, found)
  await checkRequest(raw, signed, row)
  return row
}

/** Whoever holds the end of a body back must not act as what the key and its account were when it began. */
async function readAfterBody(raw: RawContext, { callers }: Auth, { keyId }: CallerRow) {
  await readBody(raw)
  const row = await callers(keyId)
  if (row?.state !== 'active') throw new UnauthorizedError()
  return row
}

/** The key's owner has signed something: is it this request, now, and for the first time? */
async function checkRequest(raw: RawContext, { auth, jwt, refuseEnded }: Signed, row: CallerRow) {
  const now = auth.clock.now()
  refuseEnded(row, now)
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
