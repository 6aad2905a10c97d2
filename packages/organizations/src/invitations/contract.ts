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
  AlreadyInvitedError,
  MoreThanOwnRoleError,
  OrganizationFullError,
  OrganizationInvitationNotFoundError,
  OrganizationPolicyError,
  OrganizationRoleNotFoundError,
  PersonalOrganizationError,
} from '../membership/errors.ts'
import { OwnOrganization } from '../organizations/contract.ts'

/** A pending invitation. The token is only in the mail. */
export const OrganizationInvitation = t.Object({
  invitationId: t.String(),
  email: t.String(),
  roles: t.Array(t.String()),
  createdAt: moment,
  expiresAt: moment,
})

/** What an open invitation offers. Its reader has the token, and may not be signed in. */
const OrganizationInvitationOffer = t.Object({
  organization: t.String({ description: 'The name of the organization.' }),
  roles: t.Array(t.String(), { description: 'The display names of the roles.' }),
  emailHint: t.String({
    description:
      'The first letter and the domain of the invited address, such as `a…@acme.example`.',
  }),
})

const token = t.String({ minLength: 16, maxLength: 200 })

export const ofInvitations = {
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
        OrganizationPolicyError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        PersonalOrganizationError,
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
      .errors(OrganizationInvitationNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Cancels an invitation. Its link leads nowhere from then on.' }),
  ),
  getOrganizationInvitation: allow.public('organization invitation lookup by address')(
    route
      .post(`${at}/invitations/lookup`)
      .input({ body: t.Object({ token }) })
      .answer(OrganizationInvitationOffer)
      .errors(OrganizationInvitationNotFoundError, ...limitRefusals)
      .describe({ summary: 'Returns what an open invitation offers. It changes nothing.' }),
  ),
  acceptOrganizationInvitation: allow.bearer('owner only')(
    route
      .post(`${at}/invitations/accept`)
      .input({ body: t.Object({ token }) })
      .answer(OwnOrganization)
      .errors(
        OrganizationInvitationNotFoundError,
        OrganizationPolicyError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Makes the caller a member. The account must have proved the address that was invited.',
      }),
  ),
}
