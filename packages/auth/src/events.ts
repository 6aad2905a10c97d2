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
  { description: 'Somebody has signed in.' },
)

export const registerEvent = defineEvent(
  'auth.register',
  t.Object({
    userId: t.String(),
    provider,
    ...identity,
    metadata: t.Optional(t.Record(t.String(), t.Unknown())),
  }),
  { description: 'Somebody has opened an account.' },
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
  { description: 'A key was put under an account, whichever way.' },
)

export const keyRevokedEvent = defineEvent(
  'auth.key.revoked',
  t.Object({
    userId: t.String(),
    keyIds: t.Array(t.String()),
    reason: t.String(),
    actor: t.Optional(t.String({ description: 'the operator, where a support session ends' })),
  }),
  { description: 'Keys have ended: they sign no request any more, and their streams end.' },
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
  { description: 'An authenticator app or a passkey has become a second factor.' },
)

export const mfaRemovedEvent = defineEvent(
  'auth.mfa.removed',
  t.Object({ userId: t.String(), methods: t.Array(method) }),
  { description: 'Second factors are gone.' },
)

export const passkeyEnrolledEvent = defineEvent(
  'auth.passkey.enrolled',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was put into an account.' },
)

export const passkeyRevokedEvent = defineEvent(
  'auth.passkey.revoked',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was taken away: it signs in no more.' },
)

export const oauthLinkedEvent = defineEvent(
  'auth.oauth.linked',
  t.Object({ userId: t.String(), provider: t.String(), providerUserId: t.String() }),
  { description: 'An account elsewhere signs in from now on.' },
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
      'An account elsewhere signs in no more: its owner took it away here, or the consent there.',
  },
)

export const contactChangedEvent = defineEvent(
  'auth.contact.changed',
  t.Object({ userId: t.String(), kind: t.Union([t.Literal('email'), t.Literal('phone')]) }),
  { description: 'An account has another address or number, or the old one again.' },
)

export const deletionRequestedEvent = defineEvent(
  'auth.deletion.requested',
  t.Object({ userId: t.String(), purgeAtMillis: t.Integer() }),
  {
    description:
      'The deletion of an account was asked for. It is carried out when its grace period is over.',
  },
)

export const deletionCancelledEvent = defineEvent(
  'auth.deletion.cancelled',
  t.Object({ userId: t.String() }),
  { description: 'An account whose deletion was pending is restored.' },
)

export const deletionCompletedEvent = defineEvent(
  'auth.deletion.completed',
  t.Object({ userId: t.String() }),
  { description: 'An account is gone: what an application keeps of it should go too.' },
)

export const roleChangedEvent = defineEvent(
  'auth.role.changed',
  t.Object({ userId: t.String(), role: t.String() }),
  { description: 'A user has another role.' },
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
  { description: 'A program of somebody else has got access in the name of an account.' },
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
      'Such a program has lost its access. Whatever signs out everywhere ends every grant without this.',
  },
)
