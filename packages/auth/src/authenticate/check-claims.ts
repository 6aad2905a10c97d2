import { RequestBindingError, type RequestClaim, TokenExpiredError } from '../caller/errors.ts'
import type { ParsedRequestJwt } from '../crypto/crypto.ts'

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
export interface SpendableToken {
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
  const { now, binding } = request
  const longestSeconds = longestLifeSeconds[binding]
  const { iat, exp, nbf } = claims
  const life = checkLife([iat, exp], { now, longestSeconds, claims: ['iat', 'exp'] })
  if (nbf !== undefined && !isPast(nbf, now)) throw new RequestBindingError({ claim: 'nbf' })
  const jti = checkBinding(claims, request)
  return { jti, ...life }
}

export const longestLifeSeconds = { strict: 300, bearer: 900 }

// How far a client's clock may be ahead. A clock that is behind has the lifetime of its tokens.
const skewSeconds = 30

interface Life {
  readonly now: Date
  readonly longestSeconds: number
  /** What the two moments are called. */
  readonly claims: readonly [RequestClaim, RequestClaim]
}

/** Checks from when to when something is accepted. */
export function checkLife(
  [issued, expires]: readonly [unknown, unknown],
  { now, longestSeconds, claims: [first, last] }: Life,
) {
  if (!isPast(issued, now)) throw new RequestBindingError({ claim: first })
  if (!isNumericDate(expires)) throw new RequestBindingError({ claim: last })
  if (expires <= now.getTime() / 1000) throw new TokenExpiredError()
  if (expires <= issued || expires - issued > longestSeconds) {
    throw new RequestBindingError({ claim: last })
  }
  return { issuedAt: new Date(issued * 1000), expiresAt: new Date(expires * 1000) }
}

function isPast(moment: unknown, now: Date): moment is number {
  return isNumericDate(moment) && moment <= now.getTime() / 1000 + skewSeconds
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

export function isTokenId(jti: unknown): jti is string {
  return typeof jti === 'string' && printable.test(jti)
}
