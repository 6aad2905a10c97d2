import { type OutputOf, t } from '@svc/core/contract'
import { sendFields } from '../sends/contract.ts'

/** 32 random bytes, or any text that a client sends instead. */
export const linkToken = t.String({ maxLength: 128 })

/** Asks for a mailed link: the response is the same for every address. */
export const linkRequest = t.Object({
  email: t.String({ maxLength: 320 }),
  returnPath: t.Optional(t.String({ maxLength: 512 })),
  ...sendFields,
})
export type LinkRequest = OutputOf<typeof linkRequest>

/** The response to a request for a mailed link. It is the same whether or not a mail is sent. */
export const linkRequested = t.Object({ success: t.Literal(true), expiresAt: t.String() })

/** A link that was opened: the setup session, in which the user can set one password. */
export const setupOpened = t.Object({
  email: t.String(),
  returnPath: t.String(),
  setupSecret: t.String(),
  setupExpiresAt: t.String(),
})
