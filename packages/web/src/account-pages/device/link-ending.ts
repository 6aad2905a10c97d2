import { DeviceAuthDeniedError, DeviceAuthExpiredError, DeviceAuthNotFoundError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import { refusedAccount } from '../failures/sign-in-failure.ts'
import type { Say } from '../words/say.ts'

/** Why a browser does not wait for an approval any more. */
export function linkEnding(say: Say, error: unknown) {
  if (error instanceof DeviceAuthDeniedError) {
    return {
      title: say('The sign-in was denied'),
      advice: say('On the other device, someone chose “Deny” or signed out everywhere.'),
    }
  }
  if (over.some((type) => error instanceof type)) {
    return {
      title: say('This code no longer works'),
      advice: say('It is too old, or another tab of this browser shows a newer code.'),
    }
  }
  return {
    title: say('You could not be signed in'),
    advice: refusedAccount(say, error) ?? failureWords(say, error),
  }
}

// The browser drops the cookie that it asks with when the code's time is over, which may come first.
const over = [DeviceAuthExpiredError, DeviceAuthNotFoundError, UnauthorizedError]
