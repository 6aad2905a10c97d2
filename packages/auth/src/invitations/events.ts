import { defineEvent, t } from '@svc/core/contract'

export const invitationCreatedEvent = defineEvent(
  'auth.invitation.created',
  t.Object({ invitationId: t.String(), invitedBy: t.String() }),
  { description: 'An email address was invited.' },
)

export const invitationAcceptedEvent = defineEvent(
  'auth.invitation.accepted',
  t.Object({ invitationId: t.String(), userId: t.String() }),
  { description: 'An invitation was accepted, and its account created.' },
)
