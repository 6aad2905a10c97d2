import { HttpError } from '@svc/core/contract'

/**
 * Unknown, used, or taken by another user. The class takes no arguments, so no response can tell
 * which.
 */
export class DeviceAuthNotFoundError extends HttpError {
  static override readonly defaultMessage =
    'No device is waiting with this code. Compare it with the code on the device.'
  readonly name = 'DeviceAuthNotFoundError'
  readonly status = 404
}

/** The request was decided already: a decision is never undone. */
export class DeviceAuthAlreadyHandledError extends HttpError {
  static override readonly defaultMessage =
    'This code was already approved or denied. Show a new one on the device.'
  readonly name = 'DeviceAuthAlreadyHandledError'
  readonly status = 409
}

/** A user denied the waiting device, or signed out everywhere before it came for its approval. */
export class DeviceAuthDeniedError extends HttpError {
  static override readonly defaultMessage =
    'The sign-in of this device was denied. Show a new code to try again.'
  readonly name = 'DeviceAuthDeniedError'
  readonly status = 403
}

/** The code has expired: the device shows a new one. */
export class DeviceAuthExpiredError extends HttpError {
  static override readonly defaultMessage = 'This code has expired. Show a new one on the device.'
  readonly name = 'DeviceAuthExpiredError'
  readonly status = 400
}
