import { t } from '@svc/core/contract'

export const Scopes = t.Array(t.Object({ name: t.String(), description: t.String() }))

/** What every page must show that asks for consent. */
export const consentFields = {
  clientId: t.String(),
  clientName: t.String(),
  clientUri: t.Optional(t.String()),
  resource: t.String(),
  scopes: Scopes,
  /** For whom the user may allow it instead of themselves, such as an organization of theirs. */
  owners: t.Array(t.Object({ id: t.String(), name: t.String() })),
}
