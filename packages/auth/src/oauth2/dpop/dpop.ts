import { createHash } from 'node:crypto'
import type { RawContext } from '@svc/core'
import type { Needs } from '../../auth.ts'
import { type Jws, readJws, verifySignature } from '../../crypto/crypto.ts'
import { spendId } from '../../once/once.ts'
import type { Configured } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'
import { requireNonce } from './nonce.ts'
import { readPublicJwk } from './read-public-jwk.ts'

/** The algorithms for proofs: those of device keys. */
export const dpopAlgorithms = ['ES256', 'RS256'] as const

/** The key that has signed a proof for this request (RFC 9449). */
export interface DpopKey {
  /** RFC 7638, base64url: tokens are bound to it. */
  readonly thumbprint: string
  /** SHA-256 of the key's SPKI in lowercase hex, which identifies a device key. */
  readonly fingerprint: string
}

/**
 * Null if the request has no proof; an invalid proof is refused. `token` is the access token of the
 * request.
 */
export async function readDpopProof(
  auth: Needs<'db' | 'cache' | 'clock' | 'env'> & Configured,
  raw: RawContext,
  { token }: { token?: string } = {},
): Promise<DpopKey | null> {
  const headers = raw.incoming.headersDistinct.dpop
  if (headers === undefined) return null
  const jws = readProof(headers)
  const spendable = jws && checkProofClaims(jws.claims, { auth, raw, token })
  const key = spendable && readPublicJwk(jws.header.jwk)
  if (!key || !verifySignature(jws, key)) throw refusal()
  requireNonce(auth, raw, jws.claims.nonce)
  const { thumbprint, fingerprint } = key
  const { jti, ...life } = spendable
  // Last: an invalid proof must not spend the id of a valid one.
  const isFirst = await spendId(auth, { id: `dpop:${thumbprint}:${jti}`, ...life })
  if (!isFirst) throw refusal()
  return { thumbprint, fingerprint }
}

// With RSA of 4096 bits, a proof has 1,900 bytes.
const longest = 8192

function readProof([proof = '', ...others]: readonly string[]) {
  const jws = others.length === 0 && proof.length <= longest ? readJws(proof) : null
  return jws?.header.typ === 'dpop+jwt' ? jws : null
}

/** One for all faults: it must not reveal which keys or tokens exist. */
function refusal() {
  return new OAuth2Error({ error: 'invalid_dpop_proof' })
}

/** What is stored of a proof, so that it is accepted once. */
interface SpendableProof {
  readonly jti: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

interface Received {
  readonly auth: Needs<'clock'> & Configured
  readonly raw: RawContext
  /** The access token of the request. */
  readonly token: string | undefined
}

/**
 * Whether a proof is for this request, this token and this time (RFC 9449, section 4.3). Null if it
 * isn't.
 */
function checkProofClaims(
  { jti, htm, htu, iat, ath }: Jws['claims'],
  { auth, raw, token }: Received,
): SpendableProof | null {
  if (htm !== raw.req.method || !isRecent(iat, auth.clock.now()) || !isProofId(jti)) return null
  if (!isThisAddress(htu, { auth, raw })) return null
  if (token !== undefined && ath !== hashOf(token)) return null
  const expiresAt = new Date((iat + longestLifeSeconds) * 1000)
  return { jti, issuedAt: new Date(iat * 1000), expiresAt }
}

const longestLifeSeconds = 300
// How far a client's clock may be ahead of ours.
const skewSeconds = 30

/** Whole seconds only: readers may differ over a fraction. */
function isRecent(iat: unknown, now: Date): iat is number {
  if (!Number.isSafeInteger(iat)) return false
  const age = now.getTime() / 1000 - (iat as number)
  return age <= longestLifeSeconds && age >= -skewSeconds
}

// Scheme and authority, and the path; the rest is not compared.
const address = /^(https?:\/\/[^/?#]+)([^?#]*)/i

function isThisAddress(htu: unknown, { auth, raw }: Pick<Received, 'auth' | 'raw'>) {
  const [, origin, path] = (typeof htu === 'string' && address.exec(htu)) || []
  if (origin === undefined) return false
  const normal = normalOrigin(origin)
  const isOurs = raw.server.ownOrigins.has(normal) || normal === auth.authorizationServer?.issuer
  return isOurs && (path || '/') === raw.req.target.split('?', 1)[0]
}

/**
 * Normalises only case and default port (RFC 3986, sections 6.2.2.1 and 6.2.3), as other parsers
 * may read an address in another way.
 */
function normalOrigin(origin: string) {
  const lower = origin.toLowerCase()
  return lower.replace(lower.startsWith('https:') ? /:(443)?$/ : /:(80)?$/, '')
}

function hashOf(token: string) {
  return createHash('sha256').update(token).digest('base64url')
}

// RFC 9449 requires at least 96 random bits and prescribes no form. The id becomes part of a cache
// key or a row.
const printable = /^[!-~]{8,256}$/

function isProofId(jti: unknown): jti is string {
  return typeof jti === 'string' && printable.test(jti)
}
