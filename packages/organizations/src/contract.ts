import {
  allow,
  defineContract,
  limitRefusals,
  perDay,
  perHour,
  perMinute,
} from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { pageOf, pageQuery } from '@svc/core/paging'
import {
  AlreadyInvitedError,
  LastOwnerError,
  MemberNotFoundError,
  MoreThanOwnRoleError,
  OrganizationFullError,
  OrganizationInvitationNotFoundError,
  OrganizationNotFoundError,
  OrganizationRoleExistsError,
  OrganizationRoleNotFoundError,
  SlugTakenError,
} from './errors.ts'

/** The tenant that requests name in their path, as `allow.in(organization, …)` takes it. */
export const organization = {
  name: 'organization',
  param: 'org',
  NotFoundError: OrganizationNotFoundError,
} as const

const id = t.String({ format: 'uuid' })
const moment = t.String({ format: 'date-time' })
const ofOrg = t.Object({ org: id })
const ofMember = t.Object({ org: id, userId: id })
const name = t.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const slug = t.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])$',
  description: 'For addresses of pages: 2 to 48 of a–z, 0–9 and hyphens.',
})
const roleName = t.String({ pattern: '^[a-z][a-z0-9_-]{1,39}$' })
const someRoles = t.Array(roleName, { minItems: 1, maxItems: 20 })
const currentPassword = t.Optional(t.String())
const nothing = t.Undefined()

/** An organization as a member sees it. */
export const Organization = t.Object({
  organizationId: t.String(),
  name: t.String(),
  slug: t.String(),
  createdAt: moment,
})

/** The same, with what the caller may do in it. */
export const OwnOrganization = t.Object({
  ...Organization.properties,
  roles: t.Array(t.String(), { description: 'The roles of the caller.' }),
  permissions: t.Array(t.String(), { description: 'What they permit.' }),
})

/** The same in the list of the caller's organizations. */
export const ListedOrganization = t.Object({
  ...Organization.properties,
  roles: t.Array(t.String()),
  purgeAt: t.Optional(
    t.String({ format: 'date-time', description: 'It is closed, and will be deleted then.' }),
  ),
})

/** A member of an organization. */
export const OrganizationMember = t.Object({
  userId: t.String(),
  email: t.Union([t.String(), t.Null()]),
  displayName: t.Union([t.String(), t.Null()]),
  roles: t.Array(t.String()),
  joinedAt: moment,
})

/** A role in an organization: a built-in one, or one that the organization has made. */
export const OrganizationRole = t.Object({
  name: t.String(),
  displayName: t.String(),
  permissions: t.Array(t.String()),
  isBuiltIn: t.Boolean(),
})

/** A pending invitation. The token is only in the mail. */
export const OrganizationInvitation = t.Object({
  invitationId: t.String(),
  email: t.String(),
  roles: t.Array(t.String()),
  createdAt: moment,
  expiresAt: moment,
})

const at = '/_auth/organizations'
const ofOne = { params: ofOrg }

const ofOrganizations = {
  createOrganization: allow.bearer('owner only')(
    route
      .post(at)
      .input({ body: t.Object({ name, slug: t.Optional(slug) }) })
      .answer(OwnOrganization, 201)
      .errors(SlugTakenError, OrganizationFullError, ...limitRefusals)
      .describe({ summary: 'Creates an organization. The caller is its owner.' }),
  ),
  listOrganizations: allow.bearer('support too')(
    route
      .get(at)
      .answer(t.Object({ organizations: t.Array(ListedOrganization) }))
      .describe({ summary: 'Lists the organizations that the caller is a member of.' }),
  ),
  getOrganization: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org`)
      .input(ofOne)
      .answer(OwnOrganization)
      .describe({ summary: 'Reads an organization, with what the caller may do in it.' }),
  ),
  updateOrganization: allow.inMay(
    'organization',
    'organization:update',
    'owner only',
  )(
    route
      .patch(`${at}/:org`)
      .input({ params: ofOrg, body: t.Object({ name: t.Optional(name), slug: t.Optional(slug) }) })
      .answer(Organization)
      .errors(SlugTakenError, ...limitRefusals)
      .describe({ summary: 'Changes the name or the slug of an organization.' }),
  ),
  closeOrganization: allow.freshInMay(
    'organization',
    'organization:close',
  )(
    route
      .post(`${at}/:org/close`)
      .input({ params: ofOrg, body: t.Object({ currentPassword }) })
      .answer(t.Object({ purgeAt: moment }))
      .errors(...limitRefusals)
      .describe({
        summary:
          'Closes an organization: no member can use it any more. It is deleted later, and until then an owner can open it again.',
      }),
  ),
  reopenOrganization: allow.fresh(
    route
      .post(`${at}/reopen`)
      .input({ body: t.Object({ organizationId: id, currentPassword }) })
      .answer(Organization)
      .errors(OrganizationNotFoundError, ...limitRefusals)
      .describe({
        summary: 'Opens a closed organization again. An owner may, until it is deleted.',
      }),
  ),
  handOverOrganization: allow.freshInMay(
    'organization',
    'organization:close',
  )(
    route
      .post(`${at}/:org/owner`)
      .input({ params: ofOrg, body: t.Object({ userId: id, currentPassword }) })
      .answer(nothing, 204)
      .errors(MemberNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({
        summary:
          'Makes another member the owner in the caller’s place. The caller becomes an admin.',
      }),
  ),
}

const ofMembers = {
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
  leaveOrganization: allow.in(
    'organization',
    'owner only',
  )(
    route
      .post(`${at}/:org/leave`)
      .input(ofOne)
      .answer(nothing, 204)
      .errors(LastOwnerError, ...limitRefusals)
      .describe({ summary: 'Leaves an organization. Its last owner can’t.' }),
  ),
}

const permissions = t.Array(t.String(), { maxItems: 200 })
const ofRole = t.Object({ org: id, role: roleName })

const ofRoles = {
  listOrganizationRoles: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org/roles`)
      .input(ofOne)
      .answer(
        t.Object({
          roles: t.Array(OrganizationRole),
          permissions: t.Array(t.Object({ name: t.String(), displayName: t.String() })),
        }),
      )
      .describe({ summary: 'Lists the roles of an organization, and the permissions there are.' }),
  ),
  createOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .post(`${at}/:org/roles`)
      .input({
        params: ofOrg,
        body: t.Object({ name: roleName, displayName: name, permissions, currentPassword }),
      })
      .answer(OrganizationRole, 201)
      .errors(
        OrganizationRoleExistsError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({ summary: 'Makes a role that permits no more than those of the caller.' }),
  ),
  updateOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .patch(`${at}/:org/roles/:role`)
      .input({
        params: ofRole,
        body: t.Object({
          displayName: t.Optional(name),
          permissions: t.Optional(permissions),
          currentPassword,
        }),
      })
      .answer(OrganizationRole)
      .errors(OrganizationRoleNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Changes a role that permits no more than those of the caller.' }),
  ),
  deleteOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .delete(`${at}/:org/roles/:role`)
      .input({ params: ofRole })
      .answer(nothing, 204)
      .errors(OrganizationRoleNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({
        summary:
          'Deletes a role, and cancels invitations that offer it. Members who have no other role are `member` from then on.',
      }),
  ),
}

const ofInvitations = {
  inviteToOrganization: allow.freshInMay(
    'organization',
    'member:invite',
  )(
    route
      .post(`${at}/:org/invitations`)
      .input({
        params: ofOrg,
        body: t.Object({
          email: t.String({ format: 'email', maxLength: 254 }),
          roles: t.Optional(someRoles),
          currentPassword,
        }),
      })
      .answer(OrganizationInvitation, 201)
      .errors(
        AlreadyInvitedError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({ summary: 'Invites an address, by mail. The invitation is good for seven days.' }),
  ),
  listOrganizationInvitations: allow.inMay(
    'organization',
    'member:invite',
    'support too',
  )(
    route
      .get(`${at}/:org/invitations`)
      .input(ofOne)
      .answer(t.Object({ invitations: t.Array(OrganizationInvitation) }))
      .describe({ summary: 'Lists the invitations that are pending.' }),
  ),
  cancelOrganizationInvitation: allow.inMay(
    'organization',
    'member:invite',
    'owner only',
  )(
    route
      .delete(`${at}/:org/invitations/:invitationId`)
      .input({ params: t.Object({ org: id, invitationId: id }) })
      .answer(nothing, 204)
      .errors(OrganizationInvitationNotFoundError, ...limitRefusals)
      .describe({ summary: 'Cancels an invitation. Its link leads nowhere from then on.' }),
  ),
  acceptOrganizationInvitation: allow.bearer('owner only')(
    route
      .post(`${at}/invitations/accept`)
      .input({ body: t.Object({ token: t.String({ minLength: 16, maxLength: 200 }) }) })
      .answer(OwnOrganization)
      .errors(OrganizationInvitationNotFoundError, OrganizationFullError, ...limitRefusals)
      .describe({
        summary:
          'Makes the caller a member. The account must have proved the address that was invited.',
      }),
  ),
}

/** Organizations with members, roles and invitations. */
export const organizations = defineContract('organizations', {
  tenant: organization,
  operations: { ...ofOrganizations, ...ofMembers, ...ofRoles, ...ofInvitations },
  errors: [
    AlreadyInvitedError,
    LastOwnerError,
    MemberNotFoundError,
    MoreThanOwnRoleError,
    OrganizationFullError,
    OrganizationInvitationNotFoundError,
    OrganizationNotFoundError,
    OrganizationRoleExistsError,
    OrganizationRoleNotFoundError,
    SlugTakenError,
  ],
  limits: {
    'organization create by account': perDay(20),
    'organization change by account': perMinute(60),
    'organization invitation by account': perHour(100),
    'organization invitation use by account': perMinute(10),
  },
  types: {
    Organization,
    OwnOrganization,
    OrganizationMember,
    OrganizationRole,
    OrganizationInvitation,
  },
})
