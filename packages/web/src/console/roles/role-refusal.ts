import {
  BuiltinRoleError,
  PermissionNotFoundError,
  RoleAlreadyExistsError,
  RoleInUseError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { type AccountSentence, failureWords, type Say } from '../../account-pages/account-pages.ts'

/** What a person can do about a change of roles that was refused. */
export function roleRefusal(say: Say, error: unknown) {
  if (error instanceof RoleInUseError) {
    return say('Accounts that have this role: {count}. Give them another one first.', {
      count: error.userCount,
    })
  }
  if (error instanceof ValidationError) return invalid(say, error)
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return say(known[1])
  // For a permission that this user may not grant, the API's own sentence says which.
  return error instanceof ForbiddenError
    ? say('That was refused: {message}', { message: say.fromApi(error.message) })
    : failureWords(say, error)
}

const reasons = [
  [RoleAlreadyExistsError, 'A role has this name already. Choose another name.'],
  [BuiltinRoleError, 'A built-in role keeps its name and priority.'],
  [RoleNotFoundError, 'This role or permission is gone. Reload the page.'],
  [PermissionNotFoundError, 'This role or permission is gone. Reload the page.'],
] as const

const rules: Readonly<Record<string, AccountSentence>> = {
  name: 'A name starts with a letter, and has at most 64 letters, digits, “.”, “_” and “-”.',
  displayName: 'A display name has 1 to 100 characters.',
  priority: 'A priority is a whole number, 0 or more.',
}

function invalid(say: Say, { fields }: ValidationError) {
  const rule = fields.map(({ path }) => rules[path.split('.').at(-1) ?? '']).find(Boolean)
  return say(rule ?? 'That was wrong. Check it and try again.')
}
