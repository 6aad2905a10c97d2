import { createHash, verify } from 'node:crypto'
import {
  defineMiddleware,
  type RawContext,
  readBody,
  receiveBody,
  UnauthorizedError,
} from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import { type CallerRow, noteSigner, tenantOf } from '../caller/caller.ts'
import { KeyExpiredError } from '../caller/errors.ts'
import { parseRequestJwt } from '../crypto/crypto.ts'
import { findMessageSignature } from '../message-signatures/message-signatures.ts'
import { ProofError, proofInput } from '../proof/client.ts'
import {
  hasProof,
  isCanonical,
  type ReceivedProof,
  readProof,
  refuseOtherTime,
  refuseSeen,
  spendNonce,
} from '../proof/proof.ts'
import { acceptCaller } from './accept-caller.ts'
import { signedRequest } from './credentials.ts'
import { findSigner, nobodysKeys } from './find-signer.ts'
import { legacyCaller } from './legacy-jwt.ts'

export { acceptCaller, mustChangePassword, refuseKeyless } from './accept-caller.ts'
export {
  accountRefusals,
  contractDocuments,
  deviceCredentials,
  messageCredential,
} from './credentials.ts'
export { checkSigned, findSigner } from './find-signer.ts'
export { issueLegacyToken, readAccount } from './legacy-jwt.ts'
export { createStreamCredentials } from './stream-credentials.ts'
export { toOwners } from './to-owners.ts'

/**
 * Accepts a request that a live device key of an active account has signed. Apply it to the whole
 * router; routes that are open to all skip `auth`.
 */
export const authenticate = defineMiddleware(
  'auth',
  async (raw, next) => {
    const answered = await admit(raw)
    await next()
    await answered?.(raw)
  },
  { documents: signedRequest },
)

/** Runs after an operation has answered. */
type Answered = (inner: RawContext) => Promise<void>
type AdmitInner = (inner: RawContext) => Answered

const innerKey = 'svc.inner-caller'

/** Says who calls the operations that are called in the course of a request. */
export function setInnerCaller(raw: RawContext, admitInner: AdmitInner) {
  raw.set(innerKey, admitInner)
}

/** Finds out who signed a request, or refuses it. */
async function admit(raw: RawContext): Promise<Answered | undefined> {
  if (raw.outer) return admitWithin(raw, raw.outer)
  // Proofs are only for the contract of devices, which this route is not in.
  if (hasProof(raw)) throw new ProofError('PROFILE_REJECTED')
  const auth = authOf(raw.server)
  const { authorization } = raw.incoming.headersDistinct
  const message = messageOf(raw, auth)
  // Two credentials could be of two callers.
  if (message === null || (message && authorization)) throw new UnauthorizedError()
  const signed = message ?? parseRequestJwt(authorization)
  if (!signed) {
    await admitLegacy(raw, auth, authorization)
    return undefined
  }
  const row = await findSigner(raw, { auth, signed, refuseEnded: refuseExpired })
  acceptCaller(raw, row)
  auth.keyUse.note(row, raw)
  return undefined
}

/** Undefined if the request has none, or if the application takes none. */
const messageOf = (raw: RawContext, { takesMessageSignatures }: Auth) =>
  takesMessageSignatures ? findMessageSignature(raw) : undefined

/** Nothing that a client has sent is read here: who was let in to the request itself calls here, too. */
function admitWithin(raw: RawContext, outer: RawContext) {
  const admitInner = outer.get<AdmitInner>(innerKey)
  if (!admitInner) throw new UnauthorizedError()
  return admitInner(raw)
}

function refuseExpired({ keyExpiresAt }: CallerRow, now: Date) {
  if (keyExpiresAt <= now) throw new KeyExpiredError()
}

async function admitLegacy(raw: RawContext, auth: Auth, authorization: string[] | undefined) {
  let row = await legacyCaller(auth, authorization)
  if (row && !raw.isReceived) {
    await receiveBody(raw)
    row = await legacyCaller(auth, authorization)
  }
  if (!row) throw new UnauthorizedError()
  acceptCaller(raw, row)
}

/**
 * For open routes that do more for a signed-in user. Without `Authorization` the request has no
 * caller. With one that is not valid it is refused, so that a client learns that its key has ended.
 */
export const optionalAuth = defineMiddleware(
  'optional-auth',
  async (raw, next) => {
    const answered = isSigned(raw) || raw.outer ? await admit(raw) : undefined
    await next()
    await answered?.(raw)
  },
  {
    skips: ['auth'],
    documents: { ...signedRequest, credentials: [...signedRequest.credentials, {}] },
  },
)

function isSigned(raw: RawContext) {
  const hasToken = raw.incoming.headers.authorization !== undefined || hasProof(raw)
  return hasToken || messageOf(raw, authOf(raw.server)) !== undefined
}

/**
 * Replaces `authenticate` for routes in the contract of devices: accepts a signed token, or a proof
 * (A-331).
 */
export const authenticateDevice = defineMiddleware('auth', async (raw, next) => {
  const answered = hasProof(raw) ? await admitProof(raw) : await admit(raw)
  await next()
  await answered?.(raw)
})

/**
 * Finds out which device has proved a request, or refuses it. The protocol sets the order, because
 * clients learn the first fault.
 */
async function admitProof(raw: RawContext) {
  const auth = authOf(raw.server)
  const proof = readProof(raw)
  if (messageOf(raw, auth) !== undefined) throw new ProofError('PROFILE_REJECTED')
  const body = await readCanonicalBody(raw)
  // Read after the body: a client could hold its end back until the key has ended.
  const found = await auth.callers(proof.keyId, tenantOf(raw))
  const now = auth.clock.now()
  refuseEnded(found, now)
  refuseOtherTime(proof, now)
  await refuseSeen(auth, proof)
  const { row, input } = provenBy(found, { raw, auth, proof, body })
  await spendNonce(auth, proof)
  noteSigner(raw, { keyId: row.keyId, proof: `${input}\n${proof.signature}` })
  acceptCaller(raw, row)
  auth.keyUse.note(row, raw)
}

// No operation of the contract needs a quarter of it. A check of the mebibyte that the server would
// read takes too long.
const longestBody = 16_384
const json = /^application\/json(?:; *charset=utf-8)?$/i

/**
 * The profile has one spelling for each body. It allows no query, because a query would not be
 * signed.
 */
async function readCanonicalBody(raw: RawContext) {
  const { 'content-type': type = '', 'content-encoding': encoding } = raw.incoming.headers
  const isPlain = json.test(type) && encoding === undefined && !raw.req.target.includes('?')
  if (!isPlain) throw new ProofError('PROFILE_REJECTED')
  const body = await readBody(raw)
  if (body.length > longestBody || !isCanonical(body)) throw new ProofError('PROFILE_REJECTED')
  return body
}

/** Needs no signature: only the key's own device knows the id of a revoked key. */
function refuseEnded(row: CallerRow | null, now: Date) {
  const hasEnded = row?.state === 'revoked' || (row?.state === 'active' && row.keyExpiresAt <= now)
  if (hasEnded) throw new ProofError('SESSION_REVOKED')
}

interface Received {
  raw: RawContext
  auth: Auth
  proof: ReceivedProof
  body: Buffer
}

/**
 * One refusal for a key that is unknown, waiting, of another owner or for RS256, and for a
 * signature by another key.
 */
function provenBy(row: CallerRow | null, { raw, auth, proof, body }: Received) {
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  const { method, target: path } = raw.req
  const input = proofInput({ ...proof, method, path, bodySha256 })
  const isOwn =
    row?.state === 'active' && row.algorithm === 'ES256' && row.userId === proof.clientId
  // An unknown key takes as much work as a known one.
  const key = auth.publicKeys(isOwn ? row.publicKey : nobodysKeys.ES256)
  if (!isSignature(proof.signature, input, key) || !isOwn) throw new ProofError('PROOF_INVALID')
  return { row, input }
}

function isSignature(signature: string, input: string, key: ReturnType<Auth['publicKeys']>) {
  const ofP1363 = { key, dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', Buffer.from(input), ofP1363, Buffer.from(signature, 'hex'))
}
