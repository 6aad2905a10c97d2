import { type ErrorFacts, HttpError } from '@svc/core/contract'

/** The refusals of RFC 6749, 7591, 8628, 8707 and 9449 that this server uses, with their statuses. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  authorization_pending: 400,
  expired_token: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const

/** The `error` in a refusal of the authorization server. */
export type OAuth2ErrorCode = keyof typeof statuses

interface Facts {
  error?: OAuth2ErrorCode
  retryAfter?: number
  /** To a client that polls, every refusal is a 400 (RFC 8628, section 3.5). */
  status?: 400
}

/**
 * A refusal for a client of the authorization server, in the form that its protocol requires (RFC
 * 6749, section 5.2).
 */
export class OAuth2Error extends HttpError<Facts> {
  static readonly statuses = [...new Set(Object.values(statuses))]
  // Written by hand, because browsers load this class and should not load a schema builder with it.
  static readonly wireSchema = {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', enum: Object.keys(statuses) },
      error_description: { type: 'string' },
    },
  }

  readonly name = 'OAuth2Error'
  readonly status: number
  readonly error: OAuth2ErrorCode

  constructor(facts: ErrorFacts<Facts> = {}) {
    super(facts)
    this.error = facts.error ?? 'invalid_request'
    this.status = facts.status ?? statuses[this.error]
  }

  override wireBody() {
    const { error, message } = this
    return { error, ...(message && { error_description: message }) }
  }
}
