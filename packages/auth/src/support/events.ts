import { defineEvent, t } from '@svc/core/contract'

const session = {
  userId: t.String(),
  actor: t.String({ description: 'the user id of the operator' }),
  keyId: t.String(),
}

/** An operator acts as the owner of an account, until the session ends. */
export const supportOpenedEvent = defineEvent(
  'auth.support.opened',
  t.Object({
    ...session,
    operator: t.Optional(t.String({ description: 'the display name of the operator' })),
    reason: t.String(),
    expiresAtMillis: t.Integer(),
  }),
  { description: 'An operator acts as the owner of an account, until the session ends.' },
)

/**
 * A support session has ended. If the owner of the account ends it, only `auth.key.revoked` is
 * emitted.
 */
export const supportEndedEvent = defineEvent(
  'auth.support.ended',
  t.Object({ ...session, reason: t.String({ description: 'operator, withdrawn or expired' }) }),
  {
    description:
      'A support session has ended. Where its owner ends it, `auth.key.revoked` alone says so.',
  },
)
