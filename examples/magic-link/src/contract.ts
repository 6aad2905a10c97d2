import {
  allow,
  defineContract,
  keyFields,
  keyRefusals,
  LoginResult,
  linkRequest,
  linkRequested,
  linkToken,
  perMinute,
  sendRefusals,
} from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { InvalidMagicLinkError } from './errors.ts'

/** Signing in by a link that is mailed to a proven address. */
export const magicLink = defineContract('magic-link', {
  operations: {
    requestMagicLink: allow.public('magic link request by address')(
      route
        .post('/_auth/magic-link')
        .input({ body: linkRequest })
        .answer(linkRequested)
        .errors(...sendRefusals)
        .describe({
          summary: 'Mails a link to sign in with. The answer is the same for every address.',
        }),
    ),
    signInByMagicLink: allow.public('magic link sign-in by address')(
      route
        .post('/_auth/magic-link/sign-in')
        .input({ body: t.Object({ token: linkToken, ...keyFields }) })
        .answer(LoginResult, 200, 202)
        .errors(InvalidMagicLinkError, ...keyRefusals)
        .describe({ summary: 'Uses the link, and signs in the device.' }),
    ),
  },
  errors: [InvalidMagicLinkError],
  limits: {
    'magic link request by address': perMinute(20),
    'magic link request by target': perMinute(5),
    'magic link sign-in by address': perMinute(10),
  },
  browser: { signInByMagicLink: 'signs in' },
})
