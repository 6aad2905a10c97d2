import { type ErrorFacts, HttpError } from '@svc/core/contract'

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

/** The organization has no such domain. */
export class OrganizationDomainNotFoundError extends HttpError {
  readonly name = 'OrganizationDomainNotFoundError'
  readonly status = 404
}

/** The organization has this domain already. Remove it first to give other roles with it. */
export class OrganizationDomainExistsError extends HttpError {
  readonly name = 'OrganizationDomainExistsError'
  readonly status = 409
}

/** Another organization has proved this domain. Its proof ends three days after its record is gone. */
export class OrganizationDomainTakenError extends HttpError {
  readonly name = 'OrganizationDomainTakenError'
  readonly status = 409
}

/**
 * Why a domain is not proved: `missing` is that there is no record at this name, `different` that none of the records
 * is the expected one, and `no-answer` that the servers of the domain do not answer now.
 */
export type DomainFailure = 'missing' | 'different' | 'no-answer'

interface DomainFacts {
  failure: DomainFailure
  lookedUp: string
  found: string[]
}

/** The record that proves the domain was not found. `lookedUp` says where, and `found` what is there instead. */
export class OrganizationDomainUnprovedError extends HttpError<DomainFacts> {
  readonly name = 'OrganizationDomainUnprovedError'
  readonly status = 409
  declare readonly failure: DomainFailure
  declare readonly lookedUp: string
  declare readonly found: string[]

  constructor(facts: ErrorFacts<DomainFacts>) {
    super({
      message: `${unproved[facts.failure] ?? unproved.missing} (${facts.lookedUp})`,
      ...facts,
    })
  }
}

// A client may get a failure of a later server.
const unproved: Partial<Record<DomainFailure, string>> & { missing: string } = {
  missing: 'There is no TXT record at this name yet. A new record can take some minutes.',
  different: 'None of the TXT records at this name is the expected one. Copy its value again.',
  'no-answer': 'The name servers of the domain do not answer. Try again later.',
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

/** It is the user's own: it has one member, and is deleted with the account. Create another organization. */
export class PersonalOrganizationError extends HttpError {
  readonly name = 'PersonalOrganizationError'
  readonly status = 409
}

/**
 * What a member has to do: `domain` is to prove an address of one of the organization’s domains, `second-factor` to set
 * one up, `way-in` to sign in by one of `ways`, and `sign-in-again` to sign in once more.
 */
export type PolicyNeed = 'domain' | 'second-factor' | 'way-in' | 'sign-in-again'

interface PolicyFacts {
  needs: PolicyNeed
  /** With `way-in`. */
  ways?: string[]
}

/** A policy of the organization is not met. `needs` says what to do about it. */
export class OrganizationPolicyError extends HttpError<PolicyFacts> {
  readonly name = 'OrganizationPolicyError'
  readonly status = 403
  declare readonly needs: PolicyNeed
  declare readonly ways?: string[]

  constructor(facts: ErrorFacts<PolicyFacts>) {
    super({ message: messages[facts.needs] ?? messages['sign-in-again'], ...facts })
  }
}

// A client may get needs of a later server.
const messages: Partial<Record<PolicyNeed, string>> & { 'sign-in-again': string } = {
  domain: 'This organization is for addresses of its own domains only. Use one of them.',
  'second-factor': 'This organization asks for a second factor. Set one up for your account.',
  'way-in': 'This organization asks you to sign in in another way.',
  'sign-in-again': 'This organization asks you to sign in again.',
}
