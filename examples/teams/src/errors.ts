import { HttpError } from '@svc/core/contract'

/**
 * The caller is not a member of the team, or there is no such team. It takes no arguments, so no
 * answer can tell which.
 */
export class TeamNotFoundError extends HttpError {
  readonly name = 'TeamNotFoundError'
  readonly status = 404
}

/** The team has no such member, or no active account has this id. */
export class TeamMemberNotFoundError extends HttpError {
  readonly name = 'TeamMemberNotFoundError'
  readonly status = 404
}

/** The caller is a member, but only the owner of the team may do this. */
export class TeamOwnerOnlyError extends HttpError {
  readonly name = 'TeamOwnerOnlyError'
  readonly status = 403
}

/** The team has as many members as a team may have. Remove one first. */
export class TeamFullError extends HttpError {
  readonly name = 'TeamFullError'
  readonly status = 409
}
