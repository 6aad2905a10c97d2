import { route, t } from '@svc/core/contract'
import { allow, defineContract, knownBrowserInput } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { Purpose } from '../purpose.ts'
import { sendFields, sendLimits, sendRefusals } from '../sends/contract.ts'
import * as errors from './errors.ts'
import {
  InvalidVerificationCodeError,
  InvalidVerificationTokenError,
  VerificationTokenPurposeMismatchError,
  VerificationTokenTargetMismatchError,
} from './errors.ts'

const codeFields = {
  target: t.String({ maxLength: 320 }),
  targetType: t.Union([t.Literal('email'), t.Literal('phone')]),
  purpose: Purpose,
}

/** How a verification token may be refused, at every operation that takes one. */
export const tokenRefusals = [
  InvalidVerificationTokenError,
  VerificationTokenPurposeMismatchError,
  VerificationTokenTargetMismatchError,
] as const

/**
 * Proving that you own an address or a number: the server sends a code there, and exchanges it for
 * a token.
 */
export const codeContract = defineContract('codes', {
  operations: {
    sendVerificationCode: allow.public('code send by address')(
      route
        .post('/_auth/codes')
        .input({ headers: knownBrowserInput, body: t.Object({ ...codeFields, ...sendFields }) })
        .answer(t.Object({ success: t.Literal(true), expiresAt: t.String() }))
        .errors(...sendRefusals)
        .describe({ summary: 'Sends a six-digit code to an email address or phone number.' }),
    ),
    verifyCode: allow.public('code verify by address')(
      route
        .post('/_auth/codes/verify')
        .input({
          headers: knownBrowserInput,
          body: t.Object({ ...codeFields, code: t.String({ maxLength: 32 }) }),
        })
        .answer(t.Object({ verificationToken: t.String(), expiresAt: t.String() }))
        .errors(InvalidVerificationCodeError, ...limitRefusals)
        .describe({
          summary: 'Exchanges the code for a token that works once, within 15 minutes.',
        }),
    ),
  },
  errors: Object.values(errors),
  limits: {
    'code send by address': perMinute(20),
    'code verify by address': perMinute(50),
    'code verify by target and address': perMinute(10),
    'code verify by known browser': perMinute(10),
    ...sendLimits,
  },
})
