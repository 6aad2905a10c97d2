import { route, t } from '@svc/core/contract'
import { allow, defineContract, knownBrowserInput, LoginResult } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { linkRequest, linkRequested, linkToken, setupOpened } from '../links/contract.ts'
import { WeakPasswordError } from '../passwords/errors.ts'
import { sendLimits, sendRefusals } from '../sends/contract.ts'
import { PasswordResetLinkError, PasswordResetSessionError } from './errors.ts'

/** A new password for a user who reads the account's mail. */
export const passwordResetContract = defineContract('password-reset', {
  at: '/_auth/password/reset',
  operations: {
    requestPasswordReset: allow.public('reset request by address')(
      route
        .post('/_auth/password/reset')
        .input({ headers: knownBrowserInput, body: linkRequest })
        .answer(linkRequested)
        .errors(...sendRefusals)
        .describe({ summary: 'Mails a link to set a new password, if the account exists.' }),
    ),
    confirmPasswordReset: allow.public('reset confirm by address')(
      route
        .post('/_auth/password/reset/confirm')
        .input({ body: t.Object({ token: linkToken }) })
        .answer(setupOpened)
        .errors(PasswordResetLinkError, ...limitRefusals)
        .describe({
          summary: 'Uses the link, and opens the session in which the password is set.',
        }),
    ),
    completePasswordReset: allow.setup('reset complete by address')(
      route
        .post('/_auth/password/reset/complete')
        .input({
          body: t.Object({
            setupSecret: linkToken,
            password: t.String({ maxLength: 1024 }),
            ...keyFields,
          }),
        })
        .answer(LoginResult, 200, 202)
        .errors(PasswordResetSessionError, WeakPasswordError, ...keyRefusals, ...limitRefusals)
        .describe({ summary: 'Sets the password, signs out every device, and signs in this one.' }),
    ),
  },
  errors: [PasswordResetLinkError, PasswordResetSessionError],
  limits: {
    'reset request by address': perMinute(20),
    'reset confirm by address': perMinute(10),
    'reset complete by address': perMinute(10),
    ...sendLimits,
  },
  browser: {
    confirmPasswordReset: 'opens setup password_reset',
    completePasswordReset: 'finishes setup password_reset',
  },
})
