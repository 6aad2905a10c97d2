import { type OutputOf, t } from '@svc/core'

/** Which row wants its link mailed. It has no token: whoever mails the link mints it, so that no queue holds one. */
export const LinkMailOrder = t.Object({
  kind: t.Union([
    t.Literal('signup'),
    t.Literal('password_reset'),
    t.Literal('revoke_all'),
    t.Literal('invitation'),
    t.Literal('contact_undo'),
  ]),
  id: t.String(),
})
export type LinkMailOrder = OutputOf<typeof LinkMailOrder>
