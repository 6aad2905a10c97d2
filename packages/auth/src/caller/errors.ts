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

/** A claim of the request JWT, or a part of a message signature. */
export type RequestClaim = keyof typeof ofToken | keyof typeof ofSignature

/** The request was signed as another one than it is, or something of it is not signed. */
export class RequestBindingError extends HttpError<{ claim: RequestClaim }> {
  readonly name = 'RequestBindingError'
  readonly status = 401
  declare readonly claim: RequestClaim

  constructor(facts: ErrorFacts<{ claim: RequestClaim }>) {
    const { claim } = facts
    const signed = claim in ofSignature ? 'signature' : 'token'
    const expected = { ...ofToken, ...ofSignature }[claim]
    super({ message: `The ${signed}'s "${claim}" ${expected}. Sign a new one.`, ...facts })
  }
}

// What the rule requires, never what was sent: a response must not repeat a path or a body's hash.
const ofToken = {
  iat: 'must be a whole number of seconds, and not in the future',
  exp: 'must be a whole number of seconds, soon after "iat"',
  nbf: 'must be a whole number of seconds, and not in the future',
  jti: 'must be 16 to 128 printable characters',
  aud: "must be this server's own origin, as one string",
  htm: "must be the request's method",
  htu: "must be the request's path and query, as on the request line",
  bh: "must be the SHA-256 of the request's body, in base64url",
}

const ofSignature = {
  created: ofToken.iat,
  expires: 'must be a whole number of seconds, soon after "created"',
  nonce: ofToken.jti,
  components:
    'must have "@method" and "@target-uri" (or "@authority", "@path" and "@query"), for a body "content-digest" and "content-type", and no header that the documentation does not list',
  'content-digest': "must have the SHA-256 of the request's body",
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
