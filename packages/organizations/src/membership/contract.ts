import { perDay, perHour, perMinute } from '@svc/auth/contract'
import { t } from '@svc/core/contract'
import { OrganizationNotFoundError, OrganizationPolicyError } from './errors.ts'

/** The tenant that requests name in their path, as `allow.in(organization, …)` takes it. */
export const organization = {
  name: 'organization',
  param: 'org',
  NotFoundError: OrganizationNotFoundError,
  refusals: [OrganizationPolicyError],
  parts: ['team'],
} as const

// As the API writes it. In capitals it would name the same row, and be another text for all that compares it.
export const id = t.String({ format: 'uuid', pattern: '^[^A-Z]*$' })
export const moment = t.String({ format: 'date-time' })
export const ofOrg = t.Object({ org: id })
export const ofMember = t.Object({ org: id, userId: id })
export const name = t.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])$'
export const slug = t.String({
  pattern: slugPattern,
  description: 'For addresses of pages: 2 to 48 of a–z, 0–9 and hyphens.',
})
export const roleName = t.String({ pattern: '^[a-z][a-z0-9_-]{1,39}$' })
export const someRoles = t.Array(roleName, { minItems: 1, maxItems: 20 })
export const currentPassword = t.Optional(t.String())
export const nothing = t.Undefined()

export const at = '/_auth/organizations'
export const ofOne = { params: ofOrg }

export const limits = {
  'organization create by account': perDay(20),
  'organization change by account': perMinute(60),
  'organization invitation by account': perHour(100),
  'organization invitation use by account': perMinute(10),
  'organization domain check by account': perMinute(10),
  'organization join by account': perMinute(10),
  'organization invitation lookup by address': perMinute(30),
  'organization search by account': perMinute(120),
  'organization operation by account': perMinute(60),
  'owner mails by organization': perDay(50),
  'policy mails by organization': perDay(10),
}
