import { defineEvent, t } from '@svc/core/contract'

/** The owner of an account is asked to approve a call, or has decided. */
export const approvalChangedEvent = defineEvent(
  'auth.approval.changed',
  t.Object({
    userId: t.String(),
    approvalId: t.String(),
    state: t.String({ description: 'pending, approved or refused' }),
  }),
  { description: 'The owner of an account is asked to approve a call, or has decided.' },
)
