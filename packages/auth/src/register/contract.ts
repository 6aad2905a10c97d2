import { route, t } from '@svc/core/contract'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { allow, defineContract, knownBrowser } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { WeakPasswordError } from '../passwords/errors.ts'
import { RegistrationRejectedError } from './errors.ts'

export const registerContract = defineContract('register', {
  operations: {
    register: allow.public('register by address')(
      route
        .post('/_auth/register')
        .input({
          body: t.Object({
            email: t.Optional(t.String({ maxLength: 320 })),
            phone: t.Optional(t.String({ maxLength: 64 })),
            verificationToken: t.String({ maxLength: 2048 }),
            password: t.String({ maxLength: 1024 }),
            metadata: t.Optional(t.Record(t.String(), t.Unknown())),
            ...keyFields,
          }),
        })
        .answer(
          t.Object({
            userId: t.String(),
            publicId: t.String(),
            email: t.Optional(t.String()),
            phone: t.Optional(t.String()),
            knownBrowser,
          }),
        )
        .errors(
          ...tokenRefusals,
          WeakPasswordError,
          RegistrationRejectedError,
          AccountAlreadyExistsError,
          ...keyRefusals,
          ...limitRefusals,
        )
        .inContract('auth.enroll.register', { proof: false })
        .describe({
          summary: 'Creates an account for a verified address or number, and signs in.',
        }),
    ),
  },
  errors: [RegistrationRejectedError],
  limits: {
    'register by address': perMinute(100),
    'register by target': perMinute(10),
  },
  browser: {
    register: 'signs in',
  },
})
