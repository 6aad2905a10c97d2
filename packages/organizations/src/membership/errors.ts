import { HttpError } from '@svc/core/contract'

/**
 * The caller is no member of the organization, it is closed, or there is none. It takes no arguments, so no answer can
 * tell which.
 */
export class OrganizationNotFoundError extends HttpError {
  readonly name = 'OrganizationNotFoundError'
  readonly status = 404
}

/** The organization has no such member, or the team does not. */
export class MemberNotFoundError extends HttpError {
  readonly name = 'MemberNotFoundError'
  readonly status = 404
}

/** The organization has no such service account. */
export class ServiceAccountNotFoundError extends HttpError {
  readonly name = 'ServiceAccountNotFoundError'
  readonly status = 404
}

/** The organization has no role of this name. */
export class OrganizationRoleNotFoundError extends HttpError {
  readonly name = 'OrganizationRoleNotFoundError'
  readonly status = 404
}

/** An organization keeps at least one owner. Make another member an owner first, or close the organization. */
export class LastOwnerError extends HttpError {
  readonly name = 'LastOwnerError'
  readonly status = 409
}

/** The role, or the member, may do more than the caller. Ask a member who may do as much. */
export class MoreThanOwnRoleError extends HttpError {
  readonly name = 'MoreThanOwnRoleError'
  readonly status = 403
}

/** The slug is in use. Choose another one. */
export class SlugTakenError extends HttpError {
  readonly name = 'SlugTakenError'
  readonly status = 409
}

/** It has as many of these as an organization may have. Remove one first. */
export class OrganizationFullError extends HttpError {
  readonly name = 'OrganizationFullError'
  readonly status = 409
}

/**
 * The invitation is unknown, used, cancelled, expired or for another address. It takes no arguments, so no answer can
 * tell which.
 */
export class OrganizationInvitationNotFoundError extends HttpError {
  readonly name = 'OrganizationInvitationNotFoundError'
  readonly status = 404
}

/** The address has a pending invitation. Cancel it first, or wait until it expires. */
export class AlreadyInvitedError extends HttpError {
  readonly name = 'AlreadyInvitedError'
  readonly status = 409
}

/** A role of this name exists, or the name is that of a built-in role. */
export class OrganizationRoleExistsError extends HttpError {
  readonly name = 'OrganizationRoleExistsError'
  readonly status = 409
}

/** The organization has no such team, or the caller isn’t in it. It takes no arguments, so no answer can tell which. */
export class TeamNotFoundError extends HttpError {
  readonly name = 'TeamNotFoundError'
  readonly status = 404
}

/** The member is in the team already. */
export class AlreadyInTeamError extends HttpError {
  readonly name = 'AlreadyInTeamError'
  readonly status = 409
}
