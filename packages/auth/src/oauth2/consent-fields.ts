import { t } from '@svc/core/contract'
import { text } from './clients/contract.ts'

/** What every client may ask for. */
export const askedFields = {
  scope: text(2048, 'Names, with spaces.'),
  resource: text(2048, 'The resource that the tokens are for (RFC 8707).'),
  dpop_jkt: text(64, 'The thumbprint of the one key that may redeem the code (RFC 9449).'),
}

export const Scopes = t.Array(t.Object({ name: t.String(), description: t.String() }))

/** The user's answer to a client. */
export const decisionFields = {
  decision: t.Union([t.Literal('allow'), t.Literal('deny')]),
  owner: text(64, 'One of `owners`. The user unless set.'),
}

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
