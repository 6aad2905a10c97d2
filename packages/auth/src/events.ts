import { defineEvent, t } from '@svc/core/contract'

// Every event is emitted after the commit of the change that it reports.

const provider = t.String({ description: 'email, phone, passkey, device, or a social provider' })
const identity = { email: t.Optional(t.String()), phone: t.Optional(t.String()) }

/** A user signed in. With a second factor, only after they have proved it. */
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

/** An account was created: a user signed up, or `createUser` was called. */
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

/** A key was added to an account. From now on it can sign requests. */
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

/** Keys of an account were revoked. They can no longer sign requests, and their streams end. */
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

/** A user changed their password. Their other devices were signed out. */
export const passwordChangedEvent = defineEvent(
  'auth.password.changed',
  t.Object({ userId: t.String() }),
  { description: 'A password was changed.' },
)

/** A user set a new password by a mailed link. All earlier devices were signed out. */
export const passwordResetEvent = defineEvent(
  'auth.password.reset',
  t.Object({ userId: t.String() }),
  { description: 'A password was reset by a mailed link.' },
)

const method = t.Union([t.Literal('totp'), t.Literal('passkey')])

/** An authenticator app or a passkey became a second factor of an account. */
export const mfaEnrolledEvent = defineEvent(
  'auth.mfa.enrolled',
  t.Object({ userId: t.String(), method }),
  { description: 'An authenticator app or a passkey became a second factor.' },
)

/** An account no longer has these methods of the second factor. */
export const mfaRemovedEvent = defineEvent(
  'auth.mfa.removed',
  t.Object({ userId: t.String(), methods: t.Array(method) }),
  { description: 'Second factors were removed.' },
)

/** A passkey was added to an account, and can sign in to it. */
export const passkeyEnrolledEvent = defineEvent(
  'auth.passkey.enrolled',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was added to an account.' },
)

/** A passkey was removed from an account, and can no longer sign in to it. */
export const passkeyRevokedEvent = defineEvent(
  'auth.passkey.revoked',
  t.Object({ userId: t.String(), passkeyId: t.String() }),
  { description: 'A passkey was removed: it can no longer sign in.' },
)

/** An account at a provider was linked. It can now sign in to the account here. */
export const oauthLinkedEvent = defineEvent(
  'auth.oauth.linked',
  t.Object({ userId: t.String(), provider: t.String(), providerUserId: t.String() }),
  { description: 'An account of a provider was linked: it can sign in now.' },
)

/** An account at a provider was unlinked, here or at the provider. It can no longer sign in. */
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

/**
 * An account has another email address or phone number: it was changed, or the old one restored.
 */
export const contactChangedEvent = defineEvent(
  'auth.contact.changed',
  t.Object({ userId: t.String(), kind: t.Union([t.Literal('email'), t.Literal('phone')]) }),
  { description: 'The address or number of an account was changed, or restored.' },
)

/** The deletion of an account was requested. It can be restored until `purgeAtMillis`. */
export const deletionRequestedEvent = defineEvent(
  'auth.deletion.requested',
  t.Object({ userId: t.String(), purgeAtMillis: t.Integer() }),
  {
    description:
      'The deletion of an account was requested. It is deleted when its grace period ends.',
  },
)

/** An account was restored before it was deleted. */
export const deletionCancelledEvent = defineEvent(
  'auth.deletion.cancelled',
  t.Object({ userId: t.String() }),
  { description: 'An account that was going to be deleted was restored.' },
)

/** An account was deleted. Delete the data that your application keeps for it. */
export const deletionCompletedEvent = defineEvent(
  'auth.deletion.completed',
  t.Object({ userId: t.String() }),
  { description: 'An account was deleted: delete the data that your application keeps for it.' },
)

/** A user got or lost a role. `role` is the highest one that they have now. */
export const roleChangedEvent = defineEvent(
  'auth.role.changed',
  t.Object({ userId: t.String(), role: t.String() }),
  { description: 'The roles of a user were changed.' },
)

/** An account was suspended. It can neither sign in nor act. */
export const accountSuspendedEvent = defineEvent(
  'auth.account.suspended',
  t.Object({ userId: t.String() }),
  { description: 'An account was suspended.' },
)

/** A suspended account was reactivated, and can sign in again. */
export const accountReactivatedEvent = defineEvent(
  'auth.account.reactivated',
  t.Object({ userId: t.String() }),
  { description: 'A suspended account may act again.' },
)

/** A user allowed an agent to act in their name, and the agent got its first tokens. */
export const oauth2GrantedEvent = defineEvent(
  'auth.oauth2.granted',
  t.Object({
    userId: t.String(),
    grantId: t.String(),
    clientId: t.String(),
    clientName: t.String(),
    scopes: t.Array(t.String()),
    resource: t.String(),
    issuer: t.Optional(
      t.String({ description: 'Of the identity provider that allowed it, in place of the user.' }),
    ),
  }),
  { description: 'An account allowed a program of another party to act in its name.' },
)

/** The grant of an agent has ended. A sign-out everywhere ends grants without this event. */
export const oauth2RevokedEvent = defineEvent(
  'auth.oauth2.revoked',
  t.Object({
    userId: t.String(),
    grantId: t.String(),
    clientId: t.String(),
    reason: t.String({
      description:
        'owner, operator, device_revoked, client, unlinked, code_replayed or refresh_replayed',
    }),
  }),
  {
    description:
      'Such a program lost its access. Signing out everywhere ends every grant too, without this event.',
  },
)
