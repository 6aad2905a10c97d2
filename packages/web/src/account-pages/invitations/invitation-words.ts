import {
  AccountAlreadyExistsError,
  InvitationAlreadyExistsError,
  InvitationClosedError,
  InvitationNotFoundError,
  type InvitationStatus,
  type RoleItem,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about an invitation that was not made, or not changed. */
export function invitationRefusal(say: Say, error: unknown) {
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return say(known[1])
  // For a permission that the user may not give, the API's own sentence says which.
  return error instanceof ForbiddenError
    ? say('That was refused: {message}', { message: say.fromApi(error.message) })
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

const hourMillis = 3_600_000
const minuteMillis = 60_000

/** How much longer an invitation can be accepted. */
export function expiryWords(say: Say, expiresAt: string, now: number) {
  // An invitation of seven days has seven of them when it was just sent, later than the page's `now`.
  const hours = Math.ceil((Date.parse(expiresAt) - now - minuteMillis) / hourMillis)
  if (hours <= 1) return say('expires within an hour')
  const counted = new Intl.RelativeTimeFormat(say.locale)
  const time =
    hours < 24 ? counted.format(hours, 'hour') : counted.format(Math.ceil(hours / 24), 'day')
  return say('expires {time}', { time })
}

const builtIn: Record<string, AccountSentence> = {
  user: 'User',
  admin: 'Administrator',
  superadmin: 'Super administrator',
}

/**
 * The display name of a role. Users who may not list the roles get the names of built-in roles in
 * words, and those of others as they are.
 */
export function roleWords(say: Say, role: string, roles: RoleItem[] | null) {
  const known = roles?.find(({ name }) => name === role)
  if (known) return say.fromApi(known.displayName)
  const always = Object.hasOwn(builtIn, role) ? builtIn[role] : undefined
  return always ? say(always) : role
}

export const statusWords: Record<InvitationStatus, AccountSentence> = {
  pending: 'Waiting',
  accepted: 'Accepted',
  cancelled: 'Cancelled',
  expired: 'Expired',
}
