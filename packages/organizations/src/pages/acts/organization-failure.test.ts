import { ForbiddenError, ServiceUnavailableError } from '@svc/core/client'
import { english, failureWords, type Say } from '@svc/web/account'
import { expect, it } from 'vitest'
import * as errors from '../../membership/errors.ts'
import type { OrganizationSentence } from '../words/organization-words.ts'
import { organizationFailure } from './organization-failure.ts'

// Without words of a language, a sentence is said as it is, of each page.
const say = english as unknown as Say<OrganizationSentence>

it.each([
  [new errors.LastOwnerError(), 'at least one owner'],
  [new errors.MoreThanOwnRoleError(), 'than your own roles allow'],
  [new errors.AlreadyInvitedError(), 'already invited'],
  [new errors.SlugTakenError(), 'is taken'],
  [new errors.OrganizationFullError(), 'as many as there may be'],
  [new errors.OrganizationNotFoundError(), 'no longer a member'],
  [new errors.MemberNotFoundError(), 'no longer a member'],
  [new errors.OrganizationRoleNotFoundError(), 'no longer exists'],
  [new errors.OrganizationRoleExistsError(), 'has this name already'],
  [new errors.OrganizationInvitationNotFoundError(), 'has expired'],
  [new errors.OrganizationDomainNotFoundError(), 'no longer has this domain'],
  [new errors.OrganizationDomainExistsError(), 'has this domain already'],
  [new errors.OrganizationDomainTakenError(), 'Another organization has proved'],
  [new ForbiddenError(), 'no longer allow it'],
  [new ServiceUnavailableError(), 'does not answer'],
] as const)('a refusal is told in words: %s', (error, said) => {
  const told = organizationFailure(say, error, (other) => failureWords(english, other))
  expect(told).toContain(said)
})
