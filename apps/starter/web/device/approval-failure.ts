import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../ui/failure-words.ts'

/** What a person can do about a code that was not taken, or not decided. */
export function approvalFailure(error: unknown) {
  if (error instanceof DeviceAuthAlreadyHandledError) {
    return 'This code was decided already. Show a new one on the device to begin again.'
  }
  if (error instanceof DeviceAuthExpiredError) {
    return 'The time of this code is over. Show a new one on the device.'
  }
  // Somebody else may have looked at it first. The API does not tell these apart, on purpose.
  if (error instanceof DeviceAuthNotFoundError || error instanceof ValidationError) {
    return 'No device waits for you with this code. Compare it with what the device shows now.'
  }
  return failureWords(error)
}
