import { type OutputOf, route, t } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import { allow } from '../capability/access.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { keyFields, keyRefusals } from '../keys/contract.ts'
import { knownBrowser, knownBrowserInput } from '../known-browser/contract.ts'
import { limitRefusals } from '../limits/limit-refusals.ts'
import { InvalidCredentialsError } from './errors.ts'

/** What every way of signing in answers. Narrow on `mfaRequired` before reading the rest. */
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

/** The same, with the key that was put under the account: where the client may hold several that wait. */
export const KeyedLoginResult = t.Object({ ...LoginResult.properties, keyId: t.String() })

/** Signing in with a password or a one-time code. */
export const loginContract = {
  login: allow.public('login by address')(
    route
      .post('/_auth/login')
      .input({
        headers: knownBrowserInput,
        body: t.Object({
          email: t.Optional(t.String({ maxLength: 320 })),
          phone: t.Optional(t.String({ maxLength: 64 })),
          password: t.Optional(t.String({ maxLength: 1024 })),
          verificationToken: t.Optional(t.String({ maxLength: 2048 })),
          ...keyFields,
        }),
      })
      .answer(LoginResult, 200, 202)
      .errors(
        InvalidCredentialsError,
        ...tokenRefusals,
        AccountDisabledError,
        AccountPendingDeletionError,
        ...keyRefusals,
        ...limitRefusals,
      )
      .inContract('auth.enroll.login', { proof: false })
      .describe({ summary: 'Signs in, and registers the device’s key.' }),
  ),
  logout: allow.anyKey(
    route
      .post('/_auth/logout')
      .answer(t.Undefined(), 204)
      .describe({ summary: 'Revokes the key that signed this request.' }),
  ),
}
