import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { pageOf, pageQuery } from '@svc/core/paging'
import {
  at,
  currentPassword,
  id,
  moment,
  name,
  nothing,
  ofOne,
  ofOrg,
  roleName,
} from '../membership/contract.ts'
import {
  AlreadyInTeamError,
  MemberNotFoundError,
  MoreThanOwnRoleError,
  OrganizationFullError,
  OrganizationRoleNotFoundError,
  TeamNotFoundError,
} from '../membership/errors.ts'

/** A team of an organization. */
export const Team = t.Object({
  teamId: t.String(),
  name: t.String(),
  /** Each member of the team has them in the whole organization. */
  roles: t.Array(t.String()),
  createdAt: moment,
})

/** A member of a team. */
export const TeamMember = t.Object({
  userId: t.String(),
  email: t.Union([t.String(), t.Null()]),
  displayName: t.Union([t.String(), t.Null()]),
  /** What the member has for routes of this team alone. */
  roles: t.Array(t.String()),
  joinedAt: moment,
})

const roles = t.Array(roleName, { maxItems: 20 })
// Not `:team`: that is for routes that ask for access to the team.
const ofTeam = t.Object({ org: id, teamId: id })
const ofMember = t.Object({ org: id, teamId: id, userId: id })
const one = `${at}/:org/teams/:teamId` as const
const manage = 'team:manage'

export const ofTeams = {
  createTeam: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .post(`${at}/:org/teams`)
      .input({
        params: ofOrg,
        body: t.Object({ name, roles: t.Optional(roles), currentPassword }),
      })
      .answer(Team, 201)
      .errors(
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Makes a team. Its members have its roles in the whole organization, so none of them may permit more than those of the caller.',
      }),
  ),
  listTeams: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org/teams`)
      .input(ofOne)
      .answer(t.Object({ teams: t.Array(Team) }))
      .describe({ summary: 'Lists the teams of an organization.' }),
  ),
  updateTeam: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .patch(one)
      .input({
        params: ofTeam,
        body: t.Object({ name: t.Optional(name), roles: t.Optional(roles), currentPassword }),
      })
      .answer(Team)
      .errors(
        TeamNotFoundError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        ...limitRefusals,
      )
      .describe({ summary: 'Changes a team that permits no more than the caller’s roles.' }),
  ),
  deleteTeam: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .delete(one)
      .input({ params: ofTeam })
      .answer(nothing, 204)
      .errors(TeamNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Deletes a team. Its members stay in the organization.' }),
  ),
  listTeamMembers: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${one}/members`)
      .input({ params: ofTeam, query: t.Object(pageQuery) })
      .answer(pageOf(TeamMember))
      .errors(TeamNotFoundError)
      .describe({ summary: 'Lists the members of a team, those first who came first.' }),
  ),
  addTeamMember: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .post(`${one}/members`)
      .input({
        params: ofTeam,
        body: t.Object({ userId: id, roles: t.Optional(roles), currentPassword }),
      })
      .answer(nothing, 204)
      .errors(
        TeamNotFoundError,
        MemberNotFoundError,
        AlreadyInTeamError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Adds a member of the organization to a team that permits no more than the caller’s roles.',
      }),
  ),
  setTeamMemberRoles: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .put(`${one}/members/:userId/roles`)
      .input({ params: ofMember, body: t.Object({ roles, currentPassword }) })
      .answer(nothing, 204)
      .errors(
        TeamNotFoundError,
        MemberNotFoundError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        ...limitRefusals,
      )
      .describe({ summary: 'Gives a member other roles for this team alone.' }),
  ),
  removeTeamMember: allow.inMay(
    'organization',
    manage,
    'owner only',
  )(
    route
      .delete(`${one}/members/:userId`)
      .input({ params: ofMember })
      .answer(nothing, 204)
      .errors(TeamNotFoundError, MemberNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Takes a member who may not do more than the caller out of a team.' }),
  ),
  leaveTeam: allow.in(
    'organization',
    'owner only',
  )(
    route
      .post(`${one}/leave`)
      .input({ params: ofTeam })
      .answer(nothing, 204)
      .errors(TeamNotFoundError, ...limitRefusals)
      .describe({ summary: 'Leaves a team.' }),
  ),
}
