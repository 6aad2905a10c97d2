import { defineEvent, t } from '@svc/core/contract'

/** An email address was invited, by the user `invitedBy`. */
export const invitationCreatedEvent = defineEvent(
  'auth.invitation.created',
  t.Object({ invitationId: t.String(), invitedBy: t.String() }),
  { description: 'An email address was invited.' },
)

/** An invitation was accepted: the account `userId` was created. */
export const invitationAcceptedEvent = defineEvent(
  'auth.invitation.accepted',
  t.Object({ invitationId: t.String(), userId: t.String() }),
  { description: 'An invitation was accepted, and its account created.' },
)
