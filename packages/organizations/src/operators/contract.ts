import { allow, limitRefusals } from '@svc/auth/contract'
import { ConflictError, ForbiddenError, route, t } from '@svc/core/contract'
import { pageOf, pageQuery } from '@svc/core/paging'
import { OrganizationMember } from '../members/contract.ts'
import { at, id, moment, nothing } from '../membership/contract.ts'
import { MemberNotFoundError, OrganizationNotFoundError } from '../membership/errors.ts'
import { OrganizationPolicies } from '../policies/contract.ts'

const state = t.Union([t.Literal('open'), t.Literal('closed')])

/** An organization as an operator sees it. */
export const AnyOrganization = t.Object({
  organizationId: t.String(),
  name: t.String(),
  slug: t.String(),
  state,
  createdAt: moment,
  closedAt: t.Optional(moment),
  purgeAt: t.Optional(
    t.String({ format: 'date-time', description: 'It is closed, and will be deleted then.' }),
  ),
  isClosedByOperator: t.Boolean({ description: 'No owner can open it again.' }),
})

/** The same with what is in it. */
export const AnyOrganizationDetails = t.Object({
  ...AnyOrganization.properties,
  memberCount: t.Integer(),
  ownerCount: t.Integer(),
  invitationCount: t.Integer({ description: 'Invitations that can still be accepted.' }),
  policies: OrganizationPolicies,
})

const admin = `${at}/admin` as const
// Not `org`, which names the tenant: an operator is no member of it.
const ofOne = t.Object({ organizationId: id })
const reason = t.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'Kept in the audit trail.',
})

const refusals = [ForbiddenError, OrganizationNotFoundError, ...limitRefusals] as const

export const ofOperators = {
  searchOrganizations: allow.may(
    'organization:read',
    'owner only',
  )(
    route
      .get(admin)
      .input({
        query: t.Object({
          name: t.Optional(
            t.String({
              minLength: 1,
              maxLength: 100,
              description: 'What the name begins with, in any case.',
            }),
          ),
          slug: t.Optional(
            t.String({ minLength: 1, maxLength: 48, description: 'What the slug begins with.' }),
          ),
          userId: t.Optional(id),
          state: t.Optional(state),
          ...pageQuery,
        }),
      })
      .answer(pageOf(AnyOrganization))
      .errors(...limitRefusals)
      .describe({
        summary:
          'The organizations for which all of this is so, the newest first. Those of a name or slug are in its order.',
      }),
  ),
  readAnyOrganization: allow.may(
    'organization:read',
    'owner only',
  )(
    route
      .get(`${admin}/:organizationId`)
      .input({ params: ofOne })
      .answer(AnyOrganizationDetails)
      .errors(OrganizationNotFoundError, ...limitRefusals)
      .describe({
        summary: 'An organization, its state, its policies, and how many members it has.',
      }),
  ),
  listAnyOrganizationMembers: allow.may(
    'organization:read',
    'owner only',
  )(
    route
      .get(`${admin}/:organizationId/members`)
      .input({
        params: ofOne,
        query: t.Object({
          role: t.Optional(t.Literal('owner', { description: 'Lists the owners alone.' })),
          ...pageQuery,
        }),
      })
      .answer(pageOf(OrganizationMember))
      .errors(OrganizationNotFoundError, ...limitRefusals)
      .describe({
        summary:
          'The members of an organization, those first who came first. Names and addresses need `user:read`.',
      }),
  ),
  closeAnyOrganization: allow.freshMay('organization:manage')(
    route
      .post(`${admin}/:organizationId/close`)
      .input({ params: ofOne, body: t.Object({ reason }) })
      .answer(t.Object({ purgeAt: moment }))
      .errors(ConflictError, ...refusals)
      .describe({
        summary:
          'Closes an organization, which no owner can open again. It is deleted later, and until then an operator can open it.',
      }),
  ),
  reopenAnyOrganization: allow.freshMay('organization:manage')(
    route
      .post(`${admin}/:organizationId/reopen`)
      .input({ params: ofOne, body: t.Object({ reason }) })
      .answer(nothing, 204)
      .errors(ConflictError, ...refusals)
      .describe({ summary: 'Opens a closed organization again, until it is deleted.' }),
  ),
  addAnyOrganizationOwner: allow.freshMay('organization:manage')(
    route
      .post(`${admin}/:organizationId/owners`)
      .input({ params: ofOne, body: t.Object({ userId: id, reason }) })
      .answer(nothing, 204)
      .errors(MemberNotFoundError, ConflictError, ...refusals)
      .describe({
        summary:
          'Makes a member an owner too, where no owner can be reached. Not the caller themselves.',
      }),
  ),
  clearAnyOrganizationPolicies: allow.freshMay('organization:manage')(
    route
      .post(`${admin}/:organizationId/policies/clear`)
      .input({ params: ofOne, body: t.Object({ reason }) })
      .answer(nothing, 204)
      .errors(ConflictError, ...refusals)
      .describe({
        summary:
          'Ends all policies of an organization, where no owner can meet them any more. It counts from the members’ next request on.',
      }),
  ),
}
