import { route, t } from '@svc/core/contract'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../accounts/errors.ts'
import { allow } from '../capability/access.ts'
import { defineContract } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/key-fields.ts'
import { knownBrowserInput } from '../capability/known-browser.ts'
import { LoginResult } from '../capability/login-result.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { limitRefusals } from '../limits/limit-refusals.ts'
import { loginLimits } from './limits.ts'

/** Signing in with a password or a one-time code. */
export const loginContract = defineContract('login', {
  at: '/_auth',
  operations: {
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
  },
  types: { LoginResult },
  limits: {
    ...loginLimits,
  },
  browser: {
    login: 'signs in',
    logout: 'signs out here',
  },
})
