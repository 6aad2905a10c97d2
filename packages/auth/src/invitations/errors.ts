import { HttpError } from '@svc/core/contract'

/**
 * Unknown, accepted, cancelled, expired, or a link that a newer one has replaced: no response tells
 * which.
 */
export class InvitationNotFoundError extends HttpError {
  readonly name = 'InvitationNotFoundError'
  readonly status = 404
}

/** The address has been invited already: `invitationId` is the invitation that is waiting for it. */
export class InvitationAlreadyExistsError extends HttpError<{ invitationId: string }> {
  readonly name = 'InvitationAlreadyExistsError'
  readonly status = 409
  declare readonly invitationId: string
}

/**
 * The invitation was accepted, cancelled, or has expired, so it can't be changed that way any more.
 */
export class InvitationClosedError extends HttpError {
  readonly name = 'InvitationClosedError'
  readonly status = 409
}
