import { createHash } from 'node:crypto'
import type { RawContext } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { Configured } from '../authorization-server/configured.ts'
import type { Jws } from '../crypto/jws.ts'

/** What is kept of a proof, so that it counts once. */
export interface SpendableProof {
  readonly jti: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

interface Received {
  readonly auth: Needs<'clock'> & Configured
  readonly raw: RawContext
  /** The access token that the proof comes with. */
  readonly token: string | undefined
}

/** Whether a proof is for this request, this token and now (RFC 9449, section 4.3). Null where it is not. */
export function checkProofClaims(
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

/** Whole seconds only: a fraction has two readings. */
function isRecent(iat: unknown, now: Date): iat is number {
  if (!Number.isSafeInteger(iat)) return false
  const age = now.getTime() / 1000 - (iat as number)
  return age <= longestLifeSeconds && age >= -skewSeconds
}

// Scheme and authority, and the path; what follows is not compared.
const address = /^(https?:\/\/[^/?#]+)([^?#]*)/i

function isThisAddress(htu: unknown, { auth, raw }: Pick<Received, 'auth' | 'raw'>) {
  const [, origin, path] = (typeof htu === 'string' && address.exec(htu)) || []
  if (origin === undefined) return false
  const normal = normalOrigin(origin)
  const isOurs = raw.server.ownOrigins.has(normal) || normal === auth.authorizationServer?.issuer
  return isOurs && (path || '/') === raw.req.target.split('?', 1)[0]
}

/** Case and default port only (RFC 3986, sections 6.2.2.1 and 6.2.3): what another reader makes of an address is not asked. */
function normalOrigin(origin: string) {
  const lower = origin.toLowerCase()
  return lower.replace(lower.startsWith('https:') ? /:(443)?$/ : /:(80)?$/, '')
}

function hashOf(token: string) {
  return createHash('sha256').update(token).digest('base64url')
}

// RFC 9449 asks for 96 random bits at least and gives no form. It becomes part of a key in a cache or a row.
const printable = /^[!-~]{8,256}$/

function isProofId(jti: unknown): jti is string {
  return typeof jti === 'string' && printable.test(jti)
}
