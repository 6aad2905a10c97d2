import {
  BuiltinRoleError,
  PermissionNotFoundError,
  RoleAlreadyExistsError,
  RoleInUseError,
  RoleNotFoundError,
} from '@svc/auth'
import { ForbiddenError, ValidationError } from '@svc/core/client'
import { failureWords, type Say } from '@svc/web/account'
import { fill, type Words } from '../words/words.ts'

interface Told {
  roles: Words['roles']
  say: Say
}

/** What a person can do about a change of roles that was refused. */
export function roleRefusal({ roles, say }: Told, error: unknown) {
  if (error instanceof RoleInUseError) return inUse(roles, error.userCount)
  if (error instanceof ValidationError) return invalid(roles, error)
  const known = reasons.find(([type]) => error instanceof type)
  if (known) return roles[known[1]]
  // For a permission that this user may not grant, the API's own sentence says which.
  return error instanceof ForbiddenError
    ? fill(roles.refused, { message: say.fromApi(error.message) })
    : failureWords(say, error)
}

const reasons = [
  [RoleAlreadyExistsError, 'nameTaken'],
  [BuiltinRoleError, 'builtinStays'],
  [RoleNotFoundError, 'gone'],
  [PermissionNotFoundError, 'permissionGone'],
] as const

function inUse(roles: Words['roles'], count: number) {
  return count === 1 ? roles.oneHasIt : fill(roles.manyHaveIt, { count })
}

function invalid({ rules, invalid: other }: Words['roles'], { fields }: ValidationError) {
  const known: Readonly<Record<string, string>> = rules
  return fields.map(({ path }) => known[path.split('.').at(-1) ?? '']).find(Boolean) ?? other
}
