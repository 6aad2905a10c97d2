import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { pageOf, pageQuery } from '@svc/core/paging'
import {
  at,
  currentPassword,
  id,
  moment,
  nothing,
  ofMember,
  ofOne,
  ofOrg,
  someRoles,
} from '../membership/contract.ts'
import {
  LastOwnerError,
  MemberNotFoundError,
  MoreThanOwnRoleError,
  OrganizationRoleNotFoundError,
  PersonalOrganizationError,
} from '../membership/errors.ts'

/** A member of an organization. */
export const OrganizationMember = t.Object({
  userId: t.String(),
  email: t.Union([t.String(), t.Null()]),
  displayName: t.Union([t.String(), t.Null()]),
  roles: t.Array(t.String()),
  joinedAt: moment,
})

export const ofMembers = {
  listOrganizationMembers: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org/members`)
      .input({ params: ofOrg, query: t.Object(pageQuery) })
      .answer(pageOf(OrganizationMember))
      .describe({ summary: 'Lists the members of an organization, those first who came first.' }),
  ),
  setMemberRoles: allow.freshInMay(
    'organization',
    'member:update',
  )(
    route
      .put(`${at}/:org/members/:userId/roles`)
      .input({ params: ofMember, body: t.Object({ roles: someRoles, currentPassword }) })
      .answer(nothing, 204)
      .errors(
        MemberNotFoundError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        LastOwnerError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Gives a member other roles. None of them may permit more than those of the caller.',
      }),
  ),
  removeOrganizationMember: allow.inMay(
    'organization',
    'member:remove',
    'owner only',
  )(
    route
      .delete(`${at}/:org/members/:userId`)
      .input({ params: ofMember })
      .answer(nothing, 204)
      .errors(MemberNotFoundError, MoreThanOwnRoleError, LastOwnerError, ...limitRefusals)
      .describe({ summary: 'Removes a member who may not do more than the caller.' }),
  ),
  leaveOrganization: allow.inEvenIfRefused(
    'organization',
    'owner only',
  )(
    route
      .post(`${at}/:org/leave`)
      .input(ofOne)
      .answer(nothing, 204)
      .errors(LastOwnerError, PersonalOrganizationError, ...limitRefusals)
      .describe({ summary: 'Leaves an organization. Its last owner can’t.' }),
  ),
  handOverOrganization: allow.freshInMay(
    'organization',
    'organization:close',
  )(
    route
      .post(`${at}/:org/owner`)
      .input({ params: ofOrg, body: t.Object({ userId: id, currentPassword }) })
      .answer(nothing, 204)
      .errors(
        MemberNotFoundError,
        MoreThanOwnRoleError,
        PersonalOrganizationError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Makes another member the owner in the caller’s place. The caller becomes an admin.',
      }),
  ),
}
