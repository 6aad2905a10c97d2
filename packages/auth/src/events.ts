import { defineEvent, t } from '@svc/core/contract'

// Every event is emitted after the commit of the change that it reports.

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
  { description: 'A user signed in.' },
)

export const registerEvent = defineEvent(
  'auth.register',
  t.Object({
    userId: t.String(),
    provider,
    ...identity,
    metadata: t.Optional(t.Record(t.String(), t.Unknown())),
  }),
  { description: 'An account was created.' },
)

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
  { description: 'A key was added to an account.' },
)

export const keyRevokedEvent = defineEvent(
  'auth.key.revoked',
  t.Object({
    userId: t.String(),
    keyIds: t.Array(t.String()),
    reason: t.String(),
    actor: t.Optional(t.String({ description: 'the operator, if a support session ended' })),
  }),
  { description: 'Keys were revoked: they can no longer sign requests, and their streams end.' },
)

export const passwordChangedEvent = defineEvent(
  'auth.password.changed',
  t.Object({ userId: t.String() }),
  { description: 'A password was changed.' },
)

export const passwordResetEvent = defineEvent(
  'auth.password.reset',
  t.Object({ userId: t.String() }),
  { description: 'A password was reset by a mailed link.' },
)

const method = t.Union([t.Literal('totp'), t.Literal('passkey')])

export const mfaEnrolledEvent = defineEvent(
  'auth.mfa.enrolled',
  t.Object({ userId: t.String(), method }),
  { description: 'An authenticator app or a passkey became a second factor.' },
)

export const mfaRemovedEvent = defineEvent(
  'auth.mfa.removed',
  t.Object({ userId: t.String(), methods: t.Array(method) }),
  { description: 'Second factors were removed.' },
)

export const passkeyEnrolledEvent = defineEvent(
  'auth.passkey.enrolled',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was added to an account.' },
)

export const passkeyRevokedEvent = defineEvent(
  'auth.passkey.revoked',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was removed: it can no longer sign in.' },
)

export const oauthLinkedEvent = defineEvent(
  'auth.oauth.linked',
  t.Object({ userId: t.String(), provider: t.String(), providerUserId: t.String() }),
  { description: 'An account of a provider was linked: it can sign in now.' },
)

export const oauthUnlinkedEvent = defineEvent(
  'auth.oauth.unlinked',
  t.Object({
    userId: t.String(),
    provider: t.String(),
    providerUserId: t.String(),
    reason: t.String(),
  }),
  {
    description:
      'An account of a provider was unlinked, here or at the provider: it can no longer sign in.',
  },
)

export const contactChangedEvent = defineEvent(
  'auth.contact.changed',
  t.Object({ userId: t.String(), kind: t.Union([t.Literal('email'), t.Literal('phone')]) }),
  { description: 'The address or number of an account was changed, or restored.' },
)

export const deletionRequestedEvent = defineEvent(
  'auth.deletion.requested',
  t.Object({ userId: t.String(), purgeAtMillis: t.Integer() }),
  {
    description:
      'The deletion of an account was requested. It is deleted when its grace period ends.',
  },
)

export const deletionCancelledEvent = defineEvent(
  'auth.deletion.cancelled',
  t.Object({ userId: t.String() }),
  { description: 'An account that was going to be deleted was restored.' },
)

export const deletionCompletedEvent = defineEvent(
  'auth.deletion.completed',
  t.Object({ userId: t.String() }),
  { description: 'An account was deleted: delete the data that your application keeps for it.' },
)

export const roleChangedEvent = defineEvent(
  'auth.role.changed',
  t.Object({ userId: t.String(), role: t.String() }),
  { description: 'The roles of a user were changed.' },
)

export const accountSuspendedEvent = defineEvent(
  'auth.account.suspended',
  t.Object({ userId: t.String() }),
  { description: 'An account was suspended.' },
)

export const accountReactivatedEvent = defineEvent(
  'auth.account.reactivated',
  t.Object({ userId: t.String() }),
  { description: 'A suspended account may act again.' },
)

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
  { description: 'An account allowed a program of another party to act in its name.' },
)

export const oauth2RevokedEvent = defineEvent(
  'auth.oauth2.revoked',
  t.Object({
    userId: t.String(),
    grantId: t.String(),
    clientId: t.String(),
    reason: t.String({
      description: 'owner, device_revoked, client, code_replayed or refresh_replayed',
    }),
  }),
  {
    description:
      'Such a program lost its access. Signing out everywhere ends every grant too, without this event.',
  },
)
