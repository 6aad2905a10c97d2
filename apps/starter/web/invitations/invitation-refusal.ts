import {
  AccountAlreadyExistsError,
  InvitationAlreadyExistsError,
  InvitationClosedError,
  InvitationNotFoundError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { failureWords } from '../ui/failure-words.ts'

/** What a person can do about an invitation that was not made, or not changed. */
export function invitationRefusal(error: unknown) {
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return known[1]
  // What somebody may not give: the API's own sentence says which.
  return error instanceof ForbiddenError ? `The API refused: ${error.message}` : failureWords(error)
}

const reasons = [
  [ValidationError, 'This is no email address.'],
  [RoleNotFoundError, 'There is no role of that name.'],
  [AccountAlreadyExistsError, 'This address has an account already.'],
  [InvitationAlreadyExistsError, 'This address is invited already. You can send that one again.'],
  [InvitationClosedError, 'It was accepted or taken back meanwhile, or has expired.'],
  [InvitationNotFoundError, 'This invitation is not there any more.'],
] as const
