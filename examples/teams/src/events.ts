import { defineEvent, t } from '@svc/core/contract'

const changed = t.Object({
  teamId: t.String(),
  change: t.Union([t.Literal('renamed'), t.Literal('member added'), t.Literal('member removed')]),
  /** The members at that moment, including the removed one. */
  userIds: t.Array(t.String()),
})

export const teamChanged = defineEvent('team.changed', changed, {
  description: 'A team has another name, or other members.',
  recipients: ({ userIds }) => userIds,
})
