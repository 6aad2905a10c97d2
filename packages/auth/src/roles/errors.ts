import { HttpError } from '@svc/core/contract'

export class RoleNotFoundError extends HttpError {
  static override readonly defaultMessage = 'There is no such role. List the roles to see them.'
  readonly name = 'RoleNotFoundError'
  readonly status = 404
}

/** No code declares a permission of that name. */
export class PermissionNotFoundError extends HttpError {
  static override readonly defaultMessage = 'No code declares this permission. Check its name.'
  readonly name = 'PermissionNotFoundError'
  readonly status = 404
}

/** The name is taken: `roleId` is the role that has it. */
export class RoleAlreadyExistsError extends HttpError<{ roleId: string }> {
  static override readonly defaultMessage = 'A role has this name already. Choose another name.'
  readonly name = 'RoleAlreadyExistsError'
  readonly status = 409
  declare readonly roleId: string
}

/** Users have the role: give them another one before it is deleted. */
export class RoleInUseError extends HttpError<{ userCount: number }> {
  static override readonly defaultMessage =
    'Users have this role. Give them another one before you delete it.'
  readonly name = 'RoleInUseError'
  readonly status = 409
  declare readonly userCount: number
}

/** A built-in role keeps its name and priority and is never deleted; the superadmin keeps every permission. */
export class BuiltinRoleError extends HttpError {
  static override readonly defaultMessage =
    'A built-in role cannot be changed in this way. Create a role of your own.'
  readonly name = 'BuiltinRoleError'
  readonly status = 403
}

/** Without this account nobody could administer the others. */
export class LastSuperadminError extends HttpError {
  static override readonly defaultMessage =
    'This is the last superadmin. Make another account superadmin first.'
  readonly name = 'LastSuperadminError'
  readonly status = 403
}
