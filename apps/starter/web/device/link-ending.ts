import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { refusedAccount } from '../sign-in/sign-in-failure.ts'
import { failureWords } from '../ui/failure-words.ts'

/** Why a browser does not wait for an approval any more. */
export function linkEnding(error: unknown) {
  if (error instanceof DeviceAuthDeniedError) return denied
  if (over.some((type) => error instanceof type)) return worthless
  return {
    title: 'You could not be signed in',
    advice: refusedAccount(error) ?? failureWords(error),
  }
}

// The browser drops the cookie that it asks with when the code's time is over, which may come first.
const over = [DeviceAuthExpiredError, DeviceAuthNotFoundError, UnauthorizedError]

const denied = {
  title: 'The sign-in was denied',
  advice: 'On the other device, someone chose “Deny” or signed out everywhere.',
}

const worthless = {
  title: 'This code no longer works',
  advice: 'It is too old, or another tab of this browser shows a newer code.',
}
