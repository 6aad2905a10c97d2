import { defineEvent, t } from '@svc/core/contract'

export const noticePosted = defineEvent(
  'notice',
  t.Object({ id: t.String(), text: t.String(), author: t.String() }),
)
