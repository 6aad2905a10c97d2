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
import {
  RequestBindingError,
  type RequestClaim,
  RequestReplayedError,
  TokenExpiredError,
} from '../caller/errors.ts'
import type { ParsedRequestJwt, SignatureChecks } from '../crypto/crypto.ts'
import { spendId } from '../once/once.ts'

interface Signed {
  auth: Auth
  jwt: ParsedRequestJwt
  /** Refuses a key that has expired. Only a caller who has signed with it learns that. */
  refuseEnded: (row: CallerRow, now: Date) => void
}

/**
 * Finds the device key that has signed this very request, just now and for the first time. Costly
 * checks come last.
 */
export async function findSigner(raw: RawContext, signed: Signed): Promise<CallerRow> {
  const { auth, jwt, refuseEnded } = signed
  const row = await auth.callers(jwt.keyId, tenantOf(raw))
  const found = await signedBy(jwt, row, auth.signatures)
  // One refusal for a key that is unknown, revoked or waiting, and for a signature that is not the key's.
  if (!found) throw new UnauthorizedError()
  const signer = raw.isReceived ? found : await readAfterBody(raw, auth, found)
  refuseEnded(signer, auth.clock.now())
  await checkSigned(raw, { auth, jwt })
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
  jwt: ParsedRequestJwt,
  row: CallerRow | null,
  signatures: SignatureChecks,
): Promise<CallerRow | null> {
  // A live key of the other algorithm is treated as unknown, and must take the same time.
  const isLive = row?.state === 'active' && row.algorithm === jwt.algorithm
  const publicKey = isLive ? row.publicKey : nobodysKeys[jwt.algorithm]
  const isRight = await signatures.isRight(jwt, publicKey)
  return isLive && isRight ? row : null
}

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

/** The request that a token must have been signed for. */
export interface ReceivedRequest {
  readonly now: Date
  /** `strict` asks for every claim; `bearer` checks those that are there. */
  readonly binding: 'strict' | 'bearer'
  readonly method: string
  /** Path and query as on the request line, after any trusted prefix was taken off. */
  readonly target: string
  /** The names of this server. */
  readonly audiences: ReadonlySet<string>
  /** SHA-256 of the received body in base64url; of no bytes if there was none. */
  readonly bodyHash: string
}

/** What replay protection stores: the token's id, and the time in which it is accepted. */
interface SpendableToken {
  readonly jti: string | null
  readonly issuedAt: Date
  readonly expiresAt: Date
}

type Claims = ParsedRequestJwt['claims']

/** Checks that a token was signed for this request, once its signature holds. */
export function checkClaims(
  { claims }: Pick<ParsedRequestJwt, 'claims'>,
  request: ReceivedRequest,
): SpendableToken {
  const life = checkLife(claims, request)
  const jti = checkBinding(claims, request)
  return { jti, ...life }
}

const longestLifeSeconds = { strict: 300, bearer: 900 }

// How far a client's clock may be ahead. A clock that is behind has the lifetime of its tokens.
const skewSeconds = 30

function checkLife({ iat, exp, nbf }: Claims, { now, binding }: ReceivedRequest) {
  const seconds = now.getTime() / 1000
  if (!isPast(iat, seconds)) throw new RequestBindingError({ claim: 'iat' })
  if (!isNumericDate(exp)) throw new RequestBindingError({ claim: 'exp' })
  if (exp <= seconds) throw new TokenExpiredError()
  if (exp <= iat || exp - iat > longestLifeSeconds[binding]) {
    throw new RequestBindingError({ claim: 'exp' })
  }
  if (nbf !== undefined && !isPast(nbf, seconds)) throw new RequestBindingError({ claim: 'nbf' })
  return { issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) }
}

function isPast(moment: unknown, seconds: number): moment is number {
  return isNumericDate(moment) && moment <= seconds + skewSeconds
}

/** RFC 7519 allows fractions; with a whole number all readers agree. */
function isNumericDate(moment: unknown): moment is number {
  return Number.isSafeInteger(moment) && (moment as number) >= 0
}

function checkBinding({ jti, aud, htm, htu, bh }: Claims, request: ReceivedRequest) {
  const requireClaim = (claim: RequestClaim, value: unknown, holds: boolean) => {
    const passes = value === undefined ? request.binding === 'bearer' : holds
    if (!passes) throw new RequestBindingError({ claim })
  }
  requireClaim('aud', aud, typeof aud === 'string' && request.audiences.has(aud))
  requireClaim('htm', htm, htm === request.method)
  requireClaim('htu', htu, htu === request.target)
  requireClaim('bh', bh, bh === request.bodyHash)
  requireClaim('jti', jti, isTokenId(jti))
  return isTokenId(jti) ? jti : null
}

// It becomes part of a cache key or a row. There, a NUL would cause a failure instead of a refusal.
const printable = /^[!-~]{16,128}$/

function isTokenId(jti: unknown): jti is string {
  return typeof jti === 'string' && printable.test(jti)
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
