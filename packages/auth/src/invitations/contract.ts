import { ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract, LoginResult } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { linkToken } from '../links/contract.ts'
import { pageQuery, pagination } from '../pagination.ts'
import { WeakPasswordError } from '../passwords/errors.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { RoleNotFoundError } from '../roles/errors.ts'
import * as errors from './errors.ts'
import {
  InvitationAlreadyExistsError,
  InvitationClosedError,
  InvitationNotFoundError,
} from './errors.ts'

const InvitationStatus = t.Union([
  t.Literal('pending'),
  t.Literal('accepted'),
  t.Literal('cancelled'),
  t.Literal('expired'),
])
/** The state of an invitation. Only a `pending` one can be accepted. */
export type InvitationStatus = OutputOf<typeof InvitationStatus>

const InvitationItem = t.Object({
  invitationId: t.String(),
  email: t.String(),
  role: t.String(),
  status: InvitationStatus,
  invitedBy: t.Optional(t.String()),
  createdAt: t.String(),
  expiresAt: t.String(),
  acceptedAt: t.Optional(t.String()),
  metadata: t.Optional(t.Record(t.String(), t.Unknown())),
})
/** An invitation as users with the permission to invite see it. The token is only in the mail. */
export type InvitationItem = OutputOf<typeof InvitationItem>

const Invited = t.Object({
  invitationId: t.String(),
  email: t.String(),
  role: t.String(),
  expiresAt: t.String(),
})
const uuid = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
const named = { body: t.Object({ invitationId: t.String({ pattern: uuid }) }) }
const presented = t.Object({ token: linkToken })

export const invitationContract = defineContract('invitations', {
  operations: {
    createInvitation: allow.freshForSomeMay('user:invite')(
      route
        .post('/_auth/invitations')
        .input({
          body: t.Object({
            email: t.String({ maxLength: 320 }),
            role: t.String({ maxLength: 100 }),
            expiresInDays: t.Optional(t.Integer({ minimum: 1, maximum: 30 })),
            metadata: t.Optional(t.Record(t.String(), t.Unknown())),
          }),
        })
        .answer(Invited, 201)
        .errors(
          RoleNotFoundError,
          ForbiddenError,
          ...proofRefusals,
          AccountAlreadyExistsError,
          InvitationAlreadyExistsError,
          ...limitRefusals,
        )
        .describe({ summary: 'Invites an email address to create an account with a role.' }),
    ),
    listInvitations: allow.may(
      'user:read',
      'owner only',
    )(
      route
        .get('/_auth/invitations')
        .input({
          query: t.Object({
            status: t.Optional(
              t.Union(InvitationStatus.anyOf, { description: 'Only invitations in this state.' }),
            ),
            ...pageQuery,
          }),
        })
        .answer(
          t.Object({
            success: t.Literal(true),
            data: t.Array(InvitationItem),
            meta: t.Object({ pagination }),
          }),
        )
        .describe({ summary: 'Lists the invitations, the newest first.' }),
    ),
    getInvitation: allow.public('invitation lookup by address')(
      route
        .post('/_auth/invitations/lookup')
        .input({ body: presented })
        .answer(
          t.Object({
            email: t.String(),
            role: t.String(),
            roleDisplayName: t.String(),
            expiresAt: t.String(),
          }),
        )
        .errors(InvitationNotFoundError, ...limitRefusals)
        .describe({ summary: 'Returns what a mailed invitation offers. It changes nothing.' }),
    ),
    acceptInvitation: allow.public('invitation accept by address')(
      route
        .post('/_auth/invitations/accept')
        .input({
          body: t.Object({
            token: linkToken,
            password: t.String({ maxLength: 1024 }),
            ...keyFields,
          }),
        })
        .answer(LoginResult)
        .errors(
          InvitationNotFoundError,
          WeakPasswordError,
          RegistrationRejectedError,
          AccountAlreadyExistsError,
          ...keyRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Creates the account that the invitation offers, and signs in.' }),
    ),
    cancelInvitation: allow.may(
      'user:invite',
      'owner only',
    )(
      route
        .post('/_auth/invitations/cancel')
        .input(named)
        .answer(InvitationItem)
        .errors(InvitationNotFoundError, InvitationClosedError, ForbiddenError)
        .describe({ summary: 'Cancels an invitation. Its link stops working.' }),
    ),
    resendInvitation: allow.freshForSomeMay('user:invite')(
      route
        .post('/_auth/invitations/resend')
        .input(named)
        .answer(Invited)
        .errors(
          InvitationNotFoundError,
          InvitationClosedError,
          ForbiddenError,
          ...proofRefusals,
          ...limitRefusals,
        )
        .describe({
          summary: 'Mails a new link with a new expiry. The old link stops working.',
        }),
    ),
    deleteInvitation: allow.freshSuperadmin(
      route
        .post('/_auth/invitations/delete')
        .input(named)
        .answer(t.Undefined(), 204)
        .errors(InvitationNotFoundError, ...proofRefusals)
        .describe({ summary: 'Deletes an invitation in any state from the list.' }),
    ),
  },
  errors: Object.values(errors),
  limits: {
    'invitation by account': perMinute(30),
    'invitation accept by address': perMinute(10),
    'invitation lookup by address': perMinute(30),
  },
  browser: {
    acceptInvitation: 'signs in',
  },
})
