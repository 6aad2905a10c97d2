import { ConflictError, ForbiddenError, route, t } from '@svc/core/contract'
import { AccountAlreadyExistsError, UserNotFoundError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { limitRefusals, perHour, perMinute } from '../limits/contract.ts'
import { linkToken } from '../links/contract.ts'
import { cursorQuery, nextPage } from '../pagination.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { WeakPasswordError } from '../passwords/errors.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { LastSuperadminError, RoleNotFoundError } from '../roles/errors.ts'
import { sendLimits } from '../sends/contract.ts'
import { FactorRemovalLinkError } from './errors.ts'
import {
  InvitedRow,
  mostInvited,
  NewUser,
  RowToInvite,
  reason,
  status,
  UserChanges,
  UserDetails,
  UserItem,
  UserMail,
} from './user-details.ts'

export type { UserDetails, UserItem } from './user-details.ts'

const moment = (description: string) => t.Optional(t.String({ maxLength: 40, description }))
const beginning = (what: string) =>
  t.Optional(
    t.String({ minLength: 1, maxLength: 254, description: `What their ${what} begins with.` }),
  )

const userId = t.Object({ userId: t.String({ description: 'As `listUsers` has it.' }) })
const userOf = { params: userId, body: t.Object({ reason }) }

/** Of what changes something. */
const refusals = [ForbiddenError, ...proofRefusals, ...limitRefusals] as const

const PendingRemoval = t.Object({
  passkeyId: t.Optional(
    t.String({ description: 'One passkey; the whole second factor unless set.' }),
  ),
  askedAt: t.String(),
  removesAt: t.String({ description: 'Until then, its owner can keep it.' }),
})

/** The accounts, for those who run the application. */
export const peopleContract = defineContract('people', {
  at: '/_auth',
  operations: {
    listUsers: allow.may(
      'user:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/users')
        .input({
          query: t.Object({
            id: t.Optional(
              t.String({ maxLength: 64, description: 'The user id, or the public one.' }),
            ),
            email: beginning('address'),
            phone: beginning('number'),
            username: beginning('username'),
            name: beginning('display name'),
            role: t.Optional(
              t.String({ maxLength: 64, description: 'The name of one of their roles.' }),
            ),
            status: t.Optional(status),
            createdFrom: moment('ISO 8601, such as 2030-01-31T12:00:00Z. It is within.'),
            createdTo: moment('It is not within.'),
            lastLoginFrom: moment('It is within.'),
            lastLoginTo: moment('It is not within.'),
            ...cursorQuery(1000),
          }),
        })
        .answer(t.Object({ users: t.Array(UserItem), next: nextPage }))
        .errors(...limitRefusals)
        .describe({
          summary: 'The accounts for which all of this is so. Deleted ones only by their status.',
        }),
    ),
    readUser: allow.may(
      'user:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/users/:userId')
        .input({ params: userId })
        .answer(UserDetails)
        .errors(UserNotFoundError, ...limitRefusals)
        .describe({
          summary: 'An account: its factors, ways in, devices, programs, and what waits.',
        }),
    ),
    suspendUser: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/suspend')
        .input(userOf)
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, LastSuperadminError, ...refusals)
        .describe({
          summary: 'Signs an account out of every device, and lets it in no more.',
        }),
    ),
    reactivateUser: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/reactivate')
        .input(userOf)
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, ...refusals)
        .describe({
          summary: 'Lets a suspended account sign in again. Its devices stay signed out.',
        }),
    ),
    signUserOut: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/sign-out')
        .input({
          params: userId,
          body: t.Object({
            keyId: t.Optional(
              t.String({ maxLength: 128, description: 'One device; all of them unless set.' }),
            ),
            reason,
          }),
        })
        .answer(t.Object({ revokedCount: t.Integer({ description: 'How many keys have ended.' }) }))
        .errors(UserNotFoundError, KeyNotFoundError, ...refusals)
        .describe({ summary: 'Signs a device of an account out with what it has let in, or all.' }),
    ),
    requireNewPassword: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/require-password')
        .input(userOf)
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, ...refusals)
        .describe({ summary: 'Makes an account’s owner choose another password.' }),
    ),
    updateUser: allow.freshMay('user:write')(
      route
        .patch('/_auth/admin/users/:userId')
        .input({ params: userId, body: UserChanges })
        .answer(UserDetails)
        .errors(UserNotFoundError, AccountAlreadyExistsError, ...refusals)
        .describe({
          summary:
            'Changes what is named; null clears it. An address or number counts as proved, and needs a reason.',
        }),
    ),
    closeUser: allow.freshMay('user:delete')(
      route
        .post('/_auth/admin/users/:userId/close')
        .input(userOf)
        .answer(t.Object({ purgeScheduledAt: t.String() }))
        .errors(UserNotFoundError, ConflictError, LastSuperadminError, ...refusals)
        .describe({ summary: 'Closes an account, and deletes it when its grace period is over.' }),
    ),
    restoreUser: allow.freshMay('user:delete')(
      route
        .post('/_auth/admin/users/:userId/restore')
        .input(userOf)
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, ...refusals)
        .describe({ summary: 'Restores an account that is going to be deleted.' }),
    ),
    removeUserFactor: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/remove-factor')
        .input({
          params: userId,
          body: t.Object({
            passkeyId: t.Optional(
              t.String({
                maxLength: 64,
                description: 'One passkey; the whole second factor unless set.',
              }),
            ),
            reason,
          }),
        })
        .answer(t.Object({ removesAt: t.String() }))
        .errors(UserNotFoundError, ConflictError, PasskeyNotFoundError, ...refusals)
        .describe({
          summary: 'Removes it after a time in which its owner, who is mailed, can keep it.',
        }),
    ),
    stopFactorRemoval: allow.public('factor removal by address')(
      route
        .post('/_auth/users/factor-removal/stop')
        .input({ body: t.Object({ token: linkToken }) })
        .answer(t.Undefined(), 204)
        .errors(FactorRemovalLinkError, ...limitRefusals)
        .describe({
          summary: 'Keeps a factor that an operator wants to remove, by the mailed link.',
        }),
    ),
    pendingFactorRemoval: allow.bearer('owner only')(
      route
        .get('/_auth/users/factor-removal')
        .answer(t.Object({ removal: t.Optional(PendingRemoval) }))
        .describe({ summary: 'Says which factor of the caller an operator wants to remove.' }),
    ),
    keepFactor: allow.fresh(
      route
        .post('/_auth/users/factor-removal/keep')
        .input({ body: t.Object({ currentPassword }) })
        .answer(t.Undefined(), 204)
        .errors(ForbiddenError, ...ownerRefusals)
        .describe({ summary: 'Keeps a factor of the caller that an operator wants to remove.' }),
    ),
    resendUserMail: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/resend-mail')
        .input({ params: userId, body: t.Object({ mail: UserMail, reason }) })
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, ...refusals)
        .describe({ summary: 'Sends a mail with a link again. The link before is dead.' }),
    ),
    exportUser: allow.freshMay('user:read')(
      route
        .post('/_auth/admin/users/:userId/export')
        .input(userOf)
        .answer(t.Record(t.String(), t.Unknown()))
        .errors(UserNotFoundError, ...refusals)
        .describe({ summary: 'Everything that is kept of an account, but for secrets.' }),
    ),
    createUser: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users')
        .input({ body: NewUser })
        .answer(t.Object({ userId: t.String(), publicId: t.String() }), 201)
        .errors(
          AccountAlreadyExistsError,
          RoleNotFoundError,
          WeakPasswordError,
          RegistrationRejectedError,
          ...refusals,
        )
        .describe({
          summary: 'Opens an account. Without a password, its owner is mailed a link to set one.',
        }),
    ),
    inviteUsers: allow.freshMay('user:invite')(
      route
        .post('/_auth/admin/invitations')
        .input({
          body: t.Object({
            csv: t.Optional(
              t.String({
                maxLength: 200_000,
                description: 'With a header that names `email`, and `role` if you like.',
              }),
            ),
            rows: t.Optional(t.Array(RowToInvite, { maxItems: mostInvited })),
          }),
        })
        .answer(t.Object({ invitedCount: t.Integer(), report: t.Array(InvitedRow) }))
        .errors(...refusals)
        .describe({ summary: 'Invites many addresses. One that is refused stops no other.' }),
    ),
  },
  errors: [FactorRemovalLinkError],
  limits: {
    'user list by account': perMinute(120),
    'user change by account': perMinute(60),
    'user export by account': perMinute(5),
    'bulk invitations in an hour by account': perHour(5),
    'factor removal by address': perMinute(10),
    'factor removal by account': perMinute(10),
    ...sendLimits,
  },
})
