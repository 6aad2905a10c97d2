import { ForbiddenError } from '@svc/core/client'
import type { Say } from '@svc/web/account'
import {
  AlreadyInTeamError,
  AlreadyInvitedError,
  LastOwnerError,
  MemberNotFoundError,
  MoreThanOwnRoleError,
  OrganizationDomainExistsError,
  OrganizationDomainNotFoundError,
  OrganizationDomainTakenError,
  OrganizationFullError,
  OrganizationInvitationNotFoundError,
  OrganizationNotFoundError,
  OrganizationPolicyError,
  OrganizationRoleExistsError,
  OrganizationRoleNotFoundError,
  ServiceAccountNotFoundError,
  SlugTakenError,
  TeamNotFoundError,
} from '../../membership/errors.ts'
import type { OrganizationSentence } from '../words/organization-words.ts'

const reasons = [
  [
    LastOwnerError,
    'An organization keeps at least one owner. Make another member an owner first, or close the organization.',
  ],
  [MoreThanOwnRoleError, 'You can’t give or take more than your own roles allow.'],
  [
    AlreadyInvitedError,
    'This address is already invited. Cancel that invitation first, or wait until it expires.',
  ],
  [SlugTakenError, 'This address is taken. Choose another one.'],
  [OrganizationFullError, 'There are as many as there may be. Remove one first.'],
  [OrganizationNotFoundError, 'You are no longer a member of this organization, or it is closed.'],
  [MemberNotFoundError, 'This user is no longer a member.'],
  [TeamNotFoundError, 'This team no longer exists, or you are not in it.'],
  [ServiceAccountNotFoundError, 'This service account no longer exists.'],
  [AlreadyInTeamError, 'This member is in the team already.'],
  [OrganizationRoleNotFoundError, 'One of these roles no longer exists.'],
  [OrganizationRoleExistsError, 'A role has this name already. Choose another name.'],
  [
    OrganizationInvitationNotFoundError,
    'This invitation was accepted or cancelled, or has expired.',
  ],
  [OrganizationDomainNotFoundError, 'The organization no longer has this domain.'],
  [
    OrganizationDomainExistsError,
    'The organization has this domain already. To give other roles with it, remove it first.',
  ],
  [
    OrganizationDomainTakenError,
    'Another organization has proved this domain. You can prove it when their record is gone for three days.',
  ],
  [
    OrganizationPolicyError,
    'A policy of the organization does not allow it. Reload the page to see what it asks for.',
  ],
  // The proxy refuses a page that was open for too long in the same way.
  [
    ForbiddenError,
    'Nothing was done. Your roles no longer allow it, or this page was open for too long. Reload it.',
  ],
] as const

/** What a person can do about an action that was refused. */
export function organizationFailure(
  say: Say<OrganizationSentence>,
  error: unknown,
  otherwise: (error: unknown) => string,
): string {
  const known = reasons.find(([type]) => error instanceof type)
  return known ? say(known[1]) : otherwise(error)
}
