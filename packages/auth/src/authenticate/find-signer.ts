import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { hashBody, type RawContext, receiveBody, UnauthorizedError } from '@svc/core'
import type { Auth, Needs } from '../auth.ts'
import { type CallerRow, noteSigner, tenantOf } from '../caller/caller.ts'
import { RequestReplayedError } from '../caller/errors.ts'
import type { ParsedRequestJwt, SignatureChecks } from '../crypto/crypto.ts'
import { type MessageSignature, proofOfMessage } from '../message-signatures/message-signatures.ts'
import { spendId } from '../once/once.ts'
import { checkClaims, type SpendableToken } from './check-claims.ts'
import { checkMessage } from './check-message.ts'

/** What a key signs: a token of its own, or the request itself. */
type SignedRequest = ParsedRequestJwt | MessageSignature

const isJwt = (signed: SignedRequest): signed is ParsedRequestJwt => 'claims' in signed

interface Signed {
  auth: Auth
  signed: SignedRequest
  /** Refuses a key that has expired. Only a caller who has signed with it learns that. */
  refuseEnded: (row: CallerRow, now: Date) => void
}

/**
 * Finds the device key that has signed this very request, just now and for the first time. Costly
 * checks come last.
 */
export async function findSigner(raw: RawContext, given: Signed): Promise<CallerRow> {
  const { auth, signed, refuseEnded } = given
  const row = await auth.callers(signed.keyId, tenantOf(raw))
  const found = await signedBy(signed, row, auth.signatures)
  // One refusal for a key that is unknown, revoked or waiting, and for a signature that is not the key's.
  if (!found) throw new UnauthorizedError()
  const signer = raw.isReceived ? found : await readAfterBody(raw, auth, found)
  refuseEnded(signer, auth.clock.now())
  await checkSigned(raw, { auth, signed })
  return signer
}

/** A client that delays the end of a body must not act with the rights it had when it began. */
async function readAfterBody(raw: RawContext, { callers }: Auth, { keyId }: CallerRow) {
  await receiveBody(raw)
  const row = await callers(keyId, tenantOf(raw))
  if (row?.state !== 'active') throw new UnauthorizedError()
  return row
}

/** Public keys that have signed nothing, in the form in which keys are stored. */
export const nobodysKeys = {
  ES256: textOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
  RS256: textOf(nobodysRsaKey()),
} as const

/**
 * The row of the live key that signed it, or null. An unknown key takes as much work as a known
 * one.
 */
async function signedBy(
  signed: SignedRequest,
  row: CallerRow | null,
  signatures: SignatureChecks,
): Promise<CallerRow | null> {
  // A live key of the other algorithm is treated as unknown, and must take the same time.
  const isLive =
    row?.state === 'active' && row.algorithm === signed.algorithm && maySign(row, signed)
  const publicKey = isLive ? row.publicKey : nobodysKeys[signed.algorithm]
  const isRight = await signatures.isRight(signed, publicKey)
  return isLive && isRight ? row : null
}

/** A device signs tokens alone. */
const maySign = ({ kind }: CallerRow, signed: SignedRequest) => isJwt(signed) || kind === 'machine'

/**
 * A modulus with unknown factors: making a key pair would take a tenth of a second of every start.
 */
function nobodysRsaKey() {
  const modulus = Buffer.concat([Buffer.of(0xff), randomBytes(254), Buffer.of(0x01)])
  const key = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }
  return createPublicKey({ key, format: 'jwk' })
}

function textOf(key: KeyObject) {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

/**
 * The signature holds. Checks that it is for this request, is recent, and is used for the first
 * time.
 */
export async function checkSigned(
  raw: RawContext,
  { auth, signed }: { auth: Auth; signed: SignedRequest },
) {
  const now = auth.clock.now()
  const { keyId } = signed
  const spendable = isJwt(signed)
    ? checkClaims(signed, await receivedRequest(raw, auth, now))
    : await checkMessage(signed, raw, now)
  const isSpent = await refuseReplay(auth, { ...spendable, keyId, raw })
  noteSigner(raw, { keyId, proof: isSpent ? proofOf(signed) : null })
}

async function receivedRequest(raw: RawContext, { env }: Auth, now: Date) {
  return {
    now,
    binding: env.SVC_AUTH_REQUEST_BINDING,
    method: raw.req.method,
    target: raw.req.target,
    audiences: raw.server.ownOrigins,
    bodyHash: await bodyHash(raw),
  }
}

const proofOf = (signed: SignedRequest) =>
  isJwt(signed) ? tokenOf(signed) : proofOfMessage(signed)

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

const changesNothing = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Admission extends SpendableToken {
  raw: RawContext
  keyId: string
}

/** A request that changes something can be sent only once. Returns true if this call spends its token. */
async function refuseReplay(
  auth: Needs<'cache' | 'clock' | 'db'>,
  { raw, keyId, jti, issuedAt, expiresAt }: Admission,
) {
  if (changesNothing.has(raw.req.method) || jti === null) return false
  const isFirst = await spendId(auth, { id: `request:${keyId}:${jti}`, issuedAt, expiresAt })
  if (!isFirst) throw new RequestReplayedError()
  return true
}
