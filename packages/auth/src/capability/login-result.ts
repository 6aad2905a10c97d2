import { type OutputOf, t } from '@svc/core/contract'
import { knownBrowser } from './known-browser.ts'

/** What every way of signing in returns. Narrow on `mfaRequired` before reading the rest. */
export const LoginResult = t.Object({
  mfaRequired: t.Boolean(),
  userId: t.Optional(t.String()),
  publicId: t.Optional(t.String()),
  email: t.Optional(t.String()),
  phone: t.Optional(t.String()),
  passwordChangeRequired: t.Optional(t.Boolean()),
  /** Store it, and send it in `x-svc-known-browser` at the next sign-in. */
  knownBrowser,
  /** With a 202: what `mfaVerify` finishes the sign-in with. */
  challenge: t.Optional(t.Object({ secret: t.String(), expiresAtMillis: t.Integer() })),
})
export type LoginResult = OutputOf<typeof LoginResult>

/** The same, with the key that was registered, for a client that may have several waiting keys. */
export const KeyedLoginResult = t.Object({ ...LoginResult.properties, keyId: t.String() })
