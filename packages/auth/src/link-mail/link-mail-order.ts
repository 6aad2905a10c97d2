import { type OutputOf, t } from '@svc/core'

/** Which row wants its link mailed. It has no token: whoever mails the link mints it, so that no queue holds one. */
export const LinkMailOrder = t.Object({
  /** As the capability calls it. */
  kind: t.String(),
  id: t.String(),
})
export type LinkMailOrder = OutputOf<typeof LinkMailOrder>
