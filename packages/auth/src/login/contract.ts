import { route, t } from '@svc/core/contract'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../accounts/errors.ts'
import { allow, defineContract, knownBrowserInput, LoginResult } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { limitRefusals, perHour, perMinute } from '../limits/contract.ts'

/** Attempts at a password, wherever an operation takes one instead of a key. */
export const loginLimits = {
  'login by address': perMinute(100),
  // A stranger is counted by account and address together, so that one address does not lock out
  // another. The hourly limit is for guesses at one account from many addresses. A browser that has
  // signed in to it is not a stranger.
  'login by account and address': perMinute(10),
  'login by known browser': perMinute(10),
  'logins in an hour by account': perHour(100),
}

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
        .describe({ summary: 'Signs in, and registers the key of the device.' }),
    ),
    logout: allow.anyKey('owner only')(
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
