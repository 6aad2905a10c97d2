import { type OutputOf, t } from '@svc/core/contract'

/** An account as operators are shown it beside its id. */
export const AccountLabel = t.Object({
  userId: t.String(),
  /** Its address, number, username or public id, unless it is deleted. */
  name: t.Optional(t.String()),
  displayName: t.Optional(t.String()),
  isDeleted: t.Boolean(),
})
export type AccountLabel = OutputOf<typeof AccountLabel>
