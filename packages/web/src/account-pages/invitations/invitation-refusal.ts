import {
  AccountAlreadyExistsError,
  InvitationAlreadyExistsError,
  InvitationClosedError,
  InvitationNotFoundError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about an invitation that was not made, or not changed. */
export function invitationRefusal(say: Say, error: unknown) {
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return say(known[1])
  // What the user may not give: the API's own sentence says which.
  return error instanceof ForbiddenError
    ? say('The API refused: {message}', { message: error.message })
    : failureWords(say, error)
}

const reasons = [
  [ValidationError, 'Enter a valid email address.'],
  [RoleNotFoundError, 'There is no role with this name. Enter another one.'],
  [AccountAlreadyExistsError, 'This address already has an account.'],
  [
    InvitationAlreadyExistsError,
    'This address is already invited. You can send that invitation again.',
  ],
  [
    InvitationClosedError,
    'This invitation was accepted or cancelled, or has expired. Reload the page.',
  ],
  [InvitationNotFoundError, 'This invitation no longer exists. Reload the page.'],
] as const
