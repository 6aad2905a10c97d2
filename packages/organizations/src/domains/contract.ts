import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import {
  at,
  currentPassword,
  id,
  moment,
  nothing,
  ofOne,
  ofOrg,
  someRoles,
} from '../membership/contract.ts'
import {
  MoreThanOwnRoleError,
  OrganizationDomainExistsError,
  OrganizationDomainNotFoundError,
  OrganizationDomainTakenError,
  OrganizationDomainUnprovedError,
  OrganizationFullError,
  OrganizationNotFoundError,
  OrganizationPolicyError,
  OrganizationRoleNotFoundError,
  PersonalOrganizationError,
} from '../membership/errors.ts'
import { OwnOrganization } from '../organizations/contract.ts'

/** A domain of an organization. Its people may join while it is proved. */
export const OrganizationDomain = t.Object({
  domain: t.String({ description: 'In lower case and punycode.' }),
  roles: t.Array(t.String(), { description: 'What those who join by it get.' }),
  record: t.Object(
    { name: t.String(), value: t.String() },
    { description: 'The TXT record that proves it. Keep it there.' },
  ),
  addedAt: moment,
  addedByName: t.Optional(
    t.String({ description: 'In the list, if the member who added it is one still.' }),
  ),
  verifiedAt: t.Optional(
    t.String({ format: 'date-time', description: 'Only if it is proved now.' }),
  ),
  lastCheckedAt: t.Optional(
    t.String({ format: 'date-time', description: 'When the record was last looked up.' }),
  ),
  endsAt: t.Optional(
    t.String({
      format: 'date-time',
      description: 'The record is gone. The proof ends then, unless the record is back.',
    }),
  ),
})

/** An organization that the caller may join. */
export const JoinableOrganization = t.Object({
  organizationId: t.String(),
  name: t.String(),
  domain: t.String({ description: 'That of the caller’s address.' }),
})

const manage = 'domain:manage'
const domains = `${at}/:org/domains` as const
// As the API writes it.
const ofDomain = t.Object({
  org: id,
  domain: t.String({ minLength: 3, maxLength: 253, pattern: '^[a-z0-9.-]+$' }),
})

export const ofDomains = {
  addOrganizationDomain: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .post(domains)
      .input({
        params: ofOrg,
        body: t.Object({
          domain: t.String({ minLength: 1, maxLength: 253 }),
          roles: t.Optional(someRoles),
          currentPassword,
        }),
      })
      .answer(OrganizationDomain, 201)
      .errors(
        OrganizationDomainExistsError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        PersonalOrganizationError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Adds a domain, and answers the TXT record that proves it. People may join once it is proved.',
      }),
  ),
  listOrganizationDomains: allow.inMay(
    'organization',
    manage,
    'support too',
  )(
    route
      .get(domains)
      .input(ofOne)
      .answer(t.Object({ domains: t.Array(OrganizationDomain) }))
      .describe({ summary: 'Lists the domains of an organization, with the records to set.' }),
  ),
  verifyOrganizationDomain: allow.inMay(
    'organization',
    manage,
    'owner only',
  )(
    route
      .post(`${domains}/:domain/verify`)
      .input({ params: ofDomain })
      .answer(OrganizationDomain)
      .errors(
        OrganizationDomainNotFoundError,
        OrganizationDomainUnprovedError,
        OrganizationDomainTakenError,
        MoreThanOwnRoleError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Looks up the record of a domain. If it is there, people with a proved address at the domain may join.',
      }),
  ),
  removeOrganizationDomain: allow.inMay(
    'organization',
    manage,
    'owner only',
  )(
    route
      .delete(`${domains}/:domain`)
      .input({ params: ofDomain })
      .answer(nothing, 204)
      .errors(OrganizationDomainNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({
        summary: 'Removes a domain. No one can join by it any more, and its members stay.',
      }),
  ),
  listJoinableOrganizations: allow.bearer('support too')(
    route
      .get(`${at}/joinable`)
      .answer(t.Object({ organizations: t.Array(JoinableOrganization) }))
      .describe({
        summary:
          'Lists the organizations that the caller may join: they have proved the domain of the caller’s proved address.',
      }),
  ),
  joinOrganization: allow.bearer('owner only')(
    route
      .post(`${at}/join`)
      .input({ body: t.Object({ organizationId: id }) })
      .answer(OwnOrganization)
      .errors(
        OrganizationNotFoundError,
        OrganizationPolicyError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Makes the caller a member of an organization that has proved the domain of the caller’s proved address.',
      }),
  ),
}
