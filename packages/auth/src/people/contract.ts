import { ConflictError, ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { UserNotFoundError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { KeyListItem } from '../capability/fields.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { LastSuperadminError } from '../roles/errors.ts'

const status = t.Union(
  [
    t.Literal('active'),
    t.Literal('suspended'),
    t.Literal('pending_deletion'),
    t.Literal('deleted'),
  ],
  { description: 'A deletion that waits for its days of grace is `pending_deletion`.' },
)

const fields = {
  userId: t.String(),
  publicId: t.String({ description: 'The id that may be shown to others.' }),
  email: t.Optional(t.String()),
  emailVerifiedAt: t.Optional(t.String()),
  phone: t.Optional(t.String()),
  phoneVerifiedAt: t.Optional(t.String()),
  username: t.Optional(t.String()),
  displayName: t.Optional(t.String()),
  role: t.String({ description: 'The highest of its roles.' }),
  roles: t.Array(t.String(), { description: 'All of them, the highest first.' }),
  status,
  hasSecondFactor: t.Boolean(),
  createdAt: t.String(),
  lastLoginAt: t.Optional(t.String()),
}

/** An account in a list. */
export const UserItem = t.Object(fields)
export type UserItem = OutputOf<typeof UserItem>

/** An account with what those who help its owner ask first. */
export const UserDetails = t.Object({
  ...fields,
  locale: t.String(),
  timezone: t.String(),
  firstName: t.Optional(t.String()),
  lastName: t.Optional(t.String()),
  metadata: t.Record(t.String(), t.Unknown()),
  hasPassword: t.Boolean(),
  mustChangePassword: t.Boolean(),
  purgeAt: t.Optional(
    t.String({ description: 'Where its deletion is pending: when it is carried out.' }),
  ),
  factors: t.Array(t.Union([t.Literal('totp'), t.Literal('passkey')]), {
    description: 'What proves its second factor.',
  }),
  devices: t.Array(KeyListItem, {
    description: 'Those that are signed in, and its programs, with what they have let in.',
  }),
})
export type UserDetails = OutputOf<typeof UserDetails>

const moment = (description: string) => t.Optional(t.String({ maxLength: 40, description }))
const beginning = (what: string) =>
  t.Optional(
    t.String({ minLength: 1, maxLength: 254, description: `What their ${what} begins with.` }),
  )

const userId = t.Object({ userId: t.String({ description: 'As `listUsers` has it.' }) })
const reason = t.Optional(t.String({ maxLength: 500, description: 'Kept in the audit trail.' }))

/** Of what changes something. */
const refusals = [ForbiddenError, ...proofRefusals, ...limitRefusals] as const

/** The accounts, for those who run the application. */
export const peopleContract = defineContract('people', {
  at: '/_auth/admin',
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
            after: t.Optional(
              t.String({ maxLength: 1000, description: 'The `next` of the page before.' }),
            ),
            limit: t.Optional(
              t.Integer({
                minimum: 1,
                maximum: 100,
                description: 'How many are on a page: 20 unless set.',
              }),
            ),
          }),
        })
        .answer(
          t.Object({
            users: t.Array(UserItem),
            next: t.Optional(t.String({ description: 'The `after` of the next page.' })),
          }),
        )
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
        .describe({ summary: 'An account, with its factors and devices.' }),
    ),
    suspendUser: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/suspend')
        .input({ params: userId, body: t.Object({ reason }) })
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, LastSuperadminError, ...refusals)
        .describe({
          summary: 'Signs an account out of every device, and lets it in no more.',
        }),
    ),
    reactivateUser: allow.freshMay('user:write')(
      route
        .post('/_auth/admin/users/:userId/reactivate')
        .input({ params: userId, body: t.Object({ reason }) })
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
        .input({ params: userId, body: t.Object({ reason }) })
        .answer(t.Undefined(), 204)
        .errors(UserNotFoundError, ConflictError, ...refusals)
        .describe({ summary: 'Makes an account’s owner choose another password.' }),
    ),
  },
  limits: {
    'user list by account': perMinute(120),
    'user change by account': perMinute(60),
  },
})
