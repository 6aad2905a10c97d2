import { RequestBindingError, type RequestClaim, TokenExpiredError } from '../caller/errors.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'

/** The request that a token must have been signed for. */
export interface ReceivedRequest {
  readonly now: Date
  /** `strict` asks for every claim; `bearer` checks those that are there. */
  readonly binding: 'strict' | 'bearer'
  readonly method: string
  /** Path and query as on the request line, after any trusted prefix was taken off. */
  readonly target: string
  /** What this server calls itself. */
  readonly audiences: ReadonlySet<string>
  /** SHA-256 of the received body in base64url; of no bytes when there was none. */
  readonly bodyHash: string
}

/** What replay protection keeps: the token's id, and the time in which it is taken. */
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
  const life = checkLife(claims, request)
  const jti = checkBinding(claims, request)
  return { jti, ...life }
}

const longestLifeSeconds = { strict: 300, bearer: 900 }

// How far a client's clock may be ahead. One that is behind has the life of its tokens to spend.
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

/** RFC 7519 allows fractions; a whole number leaves no two readings. */
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

// It becomes part of a key in a cache or a row, where a NUL would be a failure instead of a refusal.
const printable = /^[!-~]{16,128}$/

function isTokenId(jti: unknown): jti is string {
  return typeof jti === 'string' && printable.test(jti)
}
