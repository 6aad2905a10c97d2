import { defineEvent, t } from '@svc/core/contract'

// Every event leaves after the commit of what it tells.

const provider = t.String({ description: 'email, phone, passkey, device, or a social provider' })
const identity = { email: t.Optional(t.String()), phone: t.Optional(t.String()) }

export const loginEvent = defineEvent(
  'auth.login',
  t.Object({
    userId: t.String(),
    keyId: t.String(),
    provider,
    ...identity,
    mfa: t.Union([t.Literal('none'), t.Literal('passed')]),
  }),
)

export const registerEvent = defineEvent(
  'auth.register',
  t.Object({
    userId: t.String(),
    provider,
    ...identity,
    metadata: t.Optional(t.Record(t.String(), t.Unknown())),
  }),
)

/** A key was put under an account, whichever way. */
export const deviceRegisteredEvent = defineEvent(
  'auth.device.registered',
  t.Object({
    userId: t.String(),
    keyId: t.String(),
    algorithm: t.String(),
    fingerprintPrefix: t.String(),
    deviceName: t.Optional(t.String()),
    platform: t.Optional(t.String()),
    ip: t.Optional(t.String()),
    userAgent: t.Optional(t.String()),
    createdAtMillis: t.Integer(),
    channel: t.String({ description: 'the operation that registered it' }),
  }),
)

/** Keys that sign no request any more; this is what ends streams. */
export const keyRevokedEvent = defineEvent(
  'auth.key.revoked',
  t.Object({ userId: t.String(), keyIds: t.Array(t.String()), reason: t.String() }),
)

export const passwordChangedEvent = defineEvent(
  'auth.password.changed',
  t.Object({ userId: t.String() }),
)

export const passwordResetEvent = defineEvent(
  'auth.password.reset',
  t.Object({ userId: t.String() }),
)

const method = t.Union([t.Literal('totp'), t.Literal('passkey')])

/** An authenticator app, or a passkey that counts as the second factor. */
export const mfaEnrolledEvent = defineEvent(
  'auth.mfa.enrolled',
  t.Object({ userId: t.String(), method }),
)

export const mfaRemovedEvent = defineEvent(
  'auth.mfa.removed',
  t.Object({ userId: t.String(), methods: t.Array(method) }),
)

export const passkeyEnrolledEvent = defineEvent(
  'auth.passkey.enrolled',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
)

export const passkeyRevokedEvent = defineEvent(
  'auth.passkey.revoked',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
)

/** An account elsewhere signs in from now on. */
export const oauthLinkedEvent = defineEvent(
  'auth.oauth.linked',
  t.Object({ userId: t.String(), provider: t.String(), providerUserId: t.String() }),
)

/** An account elsewhere signs in no more: its owner took it away here, or the consent there. */
export const oauthUnlinkedEvent = defineEvent(
  'auth.oauth.unlinked',
  t.Object({
    userId: t.String(),
    provider: t.String(),
    providerUserId: t.String(),
    reason: t.String(),
  }),
)

/** Another address or number, or the old one again. */
export const contactChangedEvent = defineEvent(
  'auth.contact.changed',
  t.Object({ userId: t.String(), kind: t.Union([t.Literal('email'), t.Literal('phone')]) }),
)

export const invitationCreatedEvent = defineEvent(
  'auth.invitation.created',
  t.Object({ invitationId: t.String(), invitedBy: t.String() }),
)

export const invitationAcceptedEvent = defineEvent(
  'auth.invitation.accepted',
  t.Object({ invitationId: t.String(), userId: t.String() }),
)

export const deletionRequestedEvent = defineEvent(
  'auth.deletion.requested',
  t.Object({ userId: t.String(), purgeAtMillis: t.Integer() }),
)

export const deletionCancelledEvent = defineEvent(
  'auth.deletion.cancelled',
  t.Object({ userId: t.String() }),
)

/** The account is gone: what an application keeps of it should go too. */
export const deletionCompletedEvent = defineEvent(
  'auth.deletion.completed',
  t.Object({ userId: t.String() }),
)

export const roleChangedEvent = defineEvent(
  'auth.role.changed',
  t.Object({ userId: t.String(), role: t.String() }),
)

export const accountSuspendedEvent = defineEvent(
  'auth.account.suspended',
  t.Object({ userId: t.String() }),
)

export const accountReactivatedEvent = defineEvent(
  'auth.account.reactivated',
  t.Object({ userId: t.String() }),
)

/** A program of somebody else's has got access in an account's name. */
export const oauth2GrantedEvent = defineEvent(
  'auth.oauth2.granted',
  t.Object({
    userId: t.String(),
    grantId: t.String(),
    clientId: t.String(),
    clientName: t.String(),
    scopes: t.Array(t.String()),
    resource: t.String(),
  }),
)

/** It has lost it again. Whatever signs out everywhere ends every grant of the account without this. */
export const oauth2RevokedEvent = defineEvent(
  'auth.oauth2.revoked',
  t.Object({
    userId: t.String(),
    grantId: t.String(),
    clientId: t.String(),
    reason: t.String({ description: 'owner, client, code_replayed or refresh_replayed' }),
  }),
)
