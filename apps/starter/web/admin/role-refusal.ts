import {
  BuiltinRoleError,
  PermissionNotFoundError,
  RoleAlreadyExistsError,
  RoleInUseError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { english, failureWords } from '@svc/web/account'

/** What a person can do about a change of roles that was refused. */
export function roleRefusal(error: unknown) {
  if (error instanceof RoleInUseError) return inUse(error.userCount)
  if (error instanceof ValidationError) return invalid(error)
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return known[1]
  // For a permission that this user may not grant, the API's own sentence says which.
  return error instanceof ForbiddenError
    ? `The API refused: ${error.message}`
    : failureWords(english, error)
}

const reasons = [
  [RoleAlreadyExistsError, 'There is a role of that name already.'],
  [
    BuiltinRoleError,
    'A built-in role keeps its name and priority, and the superadmin keeps every permission.',
  ],
  [RoleNotFoundError, 'The role is not there any more.'],
  [PermissionNotFoundError, 'One of the permissions is not there any more.'],
] as const

function inUse(userCount: number) {
  const who = userCount === 1 ? 'One account has' : `${userCount} accounts have`
  return `${who} this role. Give another one first.`
}

const rules: Record<string, string> = {
  name: 'A name begins with a letter, and has letters, digits, “.”, “_” and “-”, 64 at most.',
  displayName: 'A display name has 1 to 100 characters.',
  priority: 'A priority is a whole number from 0 on.',
}

function invalid({ fields }: ValidationError) {
  const rule = fields.map(({ path }) => rules[path.split('.').at(-1) ?? '']).find(Boolean)
  return rule ?? 'The API cannot take what was entered.'
}
