import { HttpError } from '@svc/core/contract'

/** There is no role of this name or id. */
export class RoleNotFoundError extends HttpError {
  readonly name = 'RoleNotFoundError'
  readonly status = 404
}

/** No code declares a permission of that name. */
export class PermissionNotFoundError extends HttpError {
  readonly name = 'PermissionNotFoundError'
  readonly status = 404
}

/** The name is taken: `roleId` is the role that has it. */
export class RoleAlreadyExistsError extends HttpError<{ roleId: string }> {
  readonly name = 'RoleAlreadyExistsError'
  readonly status = 409
  declare readonly roleId: string
}

/** Users have the role: give them another one before it is deleted. */
export class RoleInUseError extends HttpError<{ userCount: number }> {
  readonly name = 'RoleInUseError'
  readonly status = 409
  declare readonly userCount: number
}

/** A built-in role keeps its name and priority and is never deleted; the superadmin keeps every permission. */
export class BuiltinRoleError extends HttpError {
  readonly name = 'BuiltinRoleError'
  readonly status = 403
}

/** Without this account nobody could administer the others. */
export class LastSuperadminError extends HttpError {
  readonly name = 'LastSuperadminError'
  readonly status = 403
}
