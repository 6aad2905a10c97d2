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
  title: 'It was denied',
  advice: 'On the other device somebody chose “Deny”, or signed out everywhere meanwhile.',
}

const worthless = {
  title: 'This code does not work any more',
  advice: 'Its time is over, or another page of this browser shows a newer one.',
}
