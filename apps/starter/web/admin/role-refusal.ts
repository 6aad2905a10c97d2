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
  [RoleAlreadyExistsError, 'A role has this name already. Choose another name.'],
  [
    BuiltinRoleError,
    'A built-in role keeps its name and priority, and the superadmin keeps every permission.',
  ],
  [RoleNotFoundError, 'This role no longer exists. Reload the page.'],
  [PermissionNotFoundError, 'One of the permissions no longer exists. Reload the page.'],
] as const

function inUse(userCount: number) {
  const who = userCount === 1 ? 'One account has' : `${userCount} accounts have`
  return `${who} this role. Give another one first.`
}

const rules: Record<string, string> = {
  name: 'A name starts with a letter, and has at most 64 letters, digits, “.”, “_” and “-”.',
  displayName: 'A display name has 1 to 100 characters.',
  priority: 'A priority is a whole number, 0 or more.',
}

function invalid({ fields }: ValidationError) {
  const rule = fields.map(({ path }) => rules[path.split('.').at(-1) ?? '']).find(Boolean)
  return rule ?? 'The API refused these values. Check them.'
}
