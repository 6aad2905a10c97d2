import { type OutputOf, t } from '@svc/core/contract'
import { AccountLabel } from '../accounts/fields.ts'
import { KeyListItem } from '../capability/fields.ts'
import { PasskeyItem } from '../passkeys/contract.ts'
import { profileChanges } from '../profile/contract.ts'
import { SocialAccountItem } from '../social/contract.ts'

export const status = t.Union(
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
  roles: t.Array(t.String(), { description: 'All roles of the user, the highest priority first.' }),
  /** What these roles are called, in that order. */
  roleNames: t.Array(t.String()),
  status,
  hasSecondFactor: t.Boolean(),
  createdAt: t.String(),
  lastLoginAt: t.Optional(t.String()),
}

/** An account in a list. */
export const UserItem = t.Object(fields)
export type UserItem = OutputOf<typeof UserItem>

/** What an account has allowed to an agent. */
const AgentItem = t.Object({
  grantId: t.String(),
  clientId: t.String(),
  clientName: t.String(),
  scopes: t.Array(t.String()),
  resource: t.String(),
  createdAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
  expiresAtMillis: t.Integer(),
})

/** What was begun for an account and is not over: no secret of it. */
const WaitingItem = t.Object({
  /**
   * Mailed links: `password_reset`, `revoke_all`, `signup`, `contact_undo`, `factor_removal`, or of a further capability
   * `cards/card`. `approval`: a device that was let in and has not signed in yet. `deletion`: its purge.
   */
  kind: t.String(),
  createdAt: t.Optional(t.String()),
  /** When it can be used no more. Of a deletion or a removal, when it is carried out. */
  expiresAt: t.String(),
})
export type WaitingItem = OutputOf<typeof WaitingItem>

const Suspension = t.Object({
  at: t.String(),
  by: t.Optional(AccountLabel),
  reason: t.Optional(t.String()),
})

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
  /** Where its deletion is pending: when it is carried out. */
  purgeAt: t.Optional(t.String()),
  createdBy: t.Optional(AccountLabel),
  invitedBy: t.Optional(AccountLabel),
  suspension: t.Optional(Suspension),
  /** What proves its second factor. */
  factors: t.Array(t.Union([t.Literal('totp'), t.Literal('passkey')])),
  passkeys: t.Array(PasskeyItem),
  /** The accounts elsewhere that sign in to it. */
  linkedAccounts: t.Array(SocialAccountItem),
  /** Those that are signed in, with what they have let in. */
  devices: t.Array(KeyListItem),
  /** The keys of its programs. */
  machines: t.Array(KeyListItem),
  /** What it has allowed to agents. */
  grants: t.Array(AgentItem),
  /** What can still happen to it, the next first. */
  waiting: t.Array(WaitingItem),
})
export type UserDetails = OutputOf<typeof UserDetails>

export const reason = t.Optional(
  t.String({ maxLength: 500, description: 'Kept in the audit trail.' }),
)
const email = t.Optional(t.String({ maxLength: 320 }))
const phone = t.Optional(t.String({ maxLength: 64 }))

const { displayName, firstName, lastName, locale, timezone, metadata } = profileChanges
const profile = { displayName, firstName, lastName, locale, timezone, metadata }

/** What is not named stays as it is; null clears it. */
export const UserChanges = t.Object({ ...profile, email, phone, reason })
export type UserChanges = OutputOf<typeof UserChanges>

/**
 * An account for `createUser`. Give an email address, or a phone number with a password, and not
 * both.
 */
export const NewUser = t.Object({
  email,
  phone,
  password: t.Optional(t.String({ maxLength: 1024 })),
  role: t.Optional(t.String({ maxLength: 100 })),
  ...profile,
  reason,
})
export type NewUser = OutputOf<typeof NewUser>

/** What can be mailed again. */
export const UserMail = t.Union([
  t.Literal('password_reset'),
  t.Literal('contact_undo'),
  t.Literal('factor_removal'),
])
export type UserMail = OutputOf<typeof UserMail>

/** So many addresses are invited at once. */
export const mostInvited = 500

export const RowToInvite = t.Object({
  email: t.String({ maxLength: 1000 }),
  role: t.Optional(t.String({ maxLength: 100 })),
})

/** What `inviteUsers` did with one row. Only `invited` has sent a mail. */
export const InvitedRow = t.Object({
  row: t.Integer({ description: 'The first is 1; a header is none.' }),
  email: t.Optional(t.String()),
  result: t.Union([
    t.Literal('invited'),
    t.Literal('member'),
    t.Literal('already_invited'),
    t.Literal('invalid_address'),
    t.Literal('role_not_allowed'),
    t.Literal('unreadable'),
  ]),
})
export type InvitedRow = OutputOf<typeof InvitedRow>
