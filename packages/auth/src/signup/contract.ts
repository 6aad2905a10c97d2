import { route, t } from '@svc/core/contract'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { allow, defineContract, knownBrowser, knownBrowserInput } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { linkRequest, linkRequested, linkToken, setupOpened } from '../links/contract.ts'
import { WeakPasswordError } from '../passwords/errors.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { sendLimits, sendRefusals } from '../sends/contract.ts'
import { InvalidSignupLinkError, InvalidSignupSetupSessionError } from './errors.ts'

/**
 * Opening an account by a mailed link: the user who opens it has proved the address, and sets the
 * password.
 */
export const signupContract = defineContract('signup', {
  operations: {
    requestSignupLink: allow.public('signup request by address')(
      route
        .post('/_auth/signup/email')
        .input({ headers: knownBrowserInput, body: linkRequest })
        .answer(linkRequested)
        .errors(...sendRefusals)
        .describe({ summary: 'Mails a link to sign up with. An earlier link stops working.' }),
    ),
    confirmSignupLink: allow.public('signup confirm by address')(
      route
        .post('/_auth/signup/email/confirm')
        .input({ body: t.Object({ token: linkToken }) })
        .answer(setupOpened)
        .errors(InvalidSignupLinkError, ...limitRefusals)
        .describe({
          summary: 'Uses the link, and opens the session in which a password is set.',
        }),
    ),
    completeSignup: allow.setup('signup complete by address')(
      route
        .post('/_auth/signup/password')
        .input({
          body: t.Object({
            setupSecret: linkToken,
            password: t.String({ maxLength: 1024 }),
            ...keyFields,
          }),
        })
        .answer(
          t.Object({
            userId: t.String(),
            publicId: t.String(),
            email: t.String(),
            knownBrowser,
          }),
        )
        .errors(
          InvalidSignupSetupSessionError,
          WeakPasswordError,
          RegistrationRejectedError,
          AccountAlreadyExistsError,
          ...keyRefusals,
          ...limitRefusals,
        )
        .describe({ summary: 'Creates the account, and signs in.' }),
    ),
  },
  errors: [InvalidSignupLinkError, InvalidSignupSetupSessionError],
  limits: {
    'signup request by address': perMinute(20),
    'signup confirm by address': perMinute(10),
    'signup complete by address': perMinute(10),
    ...sendLimits,
  },
  browser: {
    confirmSignupLink: 'opens setup signup',
    completeSignup: 'finishes setup signup',
  },
})
