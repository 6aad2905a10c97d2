import { type ErrorFacts, HttpError } from '@svc/core/contract'

/** The device key has expired. Only a caller who signed with it gets this. */
export class KeyExpiredError extends HttpError {
  readonly name = 'KeyExpiredError'
  readonly status = 401
}

/** The request JWT has expired, or the client's clock is behind: `GET /_core/time` tells. */
export class TokenExpiredError extends HttpError {
  readonly name = 'TokenExpiredError'
  readonly status = 401
}

/** A claim of the request JWT. */
export type RequestClaim = 'iat' | 'exp' | 'nbf' | 'jti' | 'aud' | 'htm' | 'htu' | 'bh'

/** The request JWT was signed for another request than this one, or lacks a claim. */
export class RequestBindingError extends HttpError<{ claim: RequestClaim }> {
  readonly name = 'RequestBindingError'
  readonly status = 401
  declare readonly claim: RequestClaim

  constructor(facts: ErrorFacts<{ claim: RequestClaim }>) {
    super({
      message: `The token's "${facts.claim}" ${expected[facts.claim]}. Sign a new one.`,
      ...facts,
    })
  }
}

// What the rule requires, never what was sent: a response must not repeat a path or a body's hash.
const expected: Record<RequestClaim, string> = {
  iat: 'must be a whole number of seconds, and not in the future',
  exp: 'must be a whole number of seconds, soon after "iat"',
  nbf: 'must be a whole number of seconds, and not in the future',
  jti: 'must be 16 to 128 printable characters',
  aud: "must be this server's own origin, as one string",
  htm: "must be the request's method",
  htu: "must be the request's path and query, as on the request line",
  bh: "must be the SHA-256 of the request's body, in base64url",
}

/** The token of a request that changes something was used before. */
export class RequestReplayedError extends HttpError {
  readonly name = 'RequestReplayedError'
  readonly status = 401
}

/** The operation needs a fresh proof of the second factor. */
export class StepUpRequiredError extends HttpError {
  readonly name = 'StepUpRequiredError'
  readonly status = 403
}

/** The last proof on this device is too old: call `proveRecent`, sign in again, or give the current password. */
export class RecentAuthenticationRequiredError extends HttpError {
  readonly name = 'RecentAuthenticationRequiredError'
  readonly status = 403
}

/** A support session may not do this: only the owner of the account may, on a device of theirs. */
export class SupportSessionForbiddenError extends HttpError {
  readonly name = 'SupportSessionForbiddenError'
  readonly status = 403
}

/** The account must change its password before it may do anything else. */
export class PasswordChangeRequiredError extends HttpError {
  readonly name = 'PasswordChangeRequiredError'
  readonly status = 403
}
