import { HttpError } from '@svc/core/contract'

/**
 * Unknown, used, or taken by another user. The class takes no arguments, so no response can tell
 * which.
 */
export class DeviceAuthNotFoundError extends HttpError {
  readonly name = 'DeviceAuthNotFoundError'
  readonly status = 404
}

/** The request was decided already: a decision is never undone. */
export class DeviceAuthAlreadyHandledError extends HttpError {
  readonly name = 'DeviceAuthAlreadyHandledError'
  readonly status = 409
}

/** A user denied the waiting device, or signed out everywhere before it came for its approval. */
export class DeviceAuthDeniedError extends HttpError {
  readonly name = 'DeviceAuthDeniedError'
  readonly status = 403
}

/** The code has expired: the device shows a new one. */
export class DeviceAuthExpiredError extends HttpError {
  readonly name = 'DeviceAuthExpiredError'
  readonly status = 400
}
