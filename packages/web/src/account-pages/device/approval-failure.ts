import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about a code that was not taken, or not decided. */
export function approvalFailure(say: Say, error: unknown) {
  if (error instanceof DeviceAuthAlreadyHandledError) {
    return say(
      'This code was already approved or denied. To try again, show a new code on the device.',
    )
  }
  if (error instanceof DeviceAuthExpiredError) {
    return say('This code has expired. Show a new one on the device.')
  }
  // Another user may have looked at it first. The API does not tell these apart, on purpose.
  if (error instanceof DeviceAuthNotFoundError || error instanceof ValidationError) {
    return say('No device is waiting with this code. Compare it with the code on the device.')
  }
  return failureWords(say, error)
}
