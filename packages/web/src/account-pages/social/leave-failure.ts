import { isRefusedWith } from '../../page/client.ts'
import { failureWords } from '../failures/failure-words.ts'
import type { Say } from '../words/say.ts'

/** What a person can do if the page of a provider did not open. */
export function leaveFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'NotFoundError', 'WebSignInUnsupportedError')) {
    return say(
      'You can no longer sign in with this service. Reload the page to see which services you can use.',
    )
  }
  return failureWords(say, error)
}
