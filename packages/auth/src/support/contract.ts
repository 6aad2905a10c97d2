import { ForbiddenError, route, t } from '@svc/core/contract'
import { UserNotFoundError } from '../accounts/errors.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { keyFields, keyRefusals } from '../capability/fields.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { perMinute } from '../limits/contract.ts'
import { SupportCodeError } from './errors.ts'

/** An operator acts as the owner of an account, with a key that was made for it, for an hour at most. */
export const supportContract = defineContract('support', {
  operations: {
    openSupportSession: allow.freshMay('support:act')(
      route
        .post('/_auth/support/sessions')
        .input({
          body: t.Object({
            userId: t.String({ maxLength: 64, description: 'The account, as `listUsers` has it.' }),
            reason: t.String({
              minLength: 1,
              maxLength: 500,
              description: 'The owner reads it, and the audit trail keeps it.',
            }),
            minutes: t.Optional(
              t.Integer({ minimum: 1, maximum: 60, description: 'How long: 30 unless set.' }),
            ),
            code: t.Optional(
              t.String({
                maxLength: 32,
                description: 'The owner’s, where their consent is asked.',
              }),
            ),
            ...keyFields,
            currentPassword,
          }),
        })
        .answer(t.Object({ keyId: t.String(), userId: t.String(), expiresAtMillis: t.Integer() }))
        .errors(
          ForbiddenError,
          UserNotFoundError,
          SupportCodeError,
          ...keyRefusals,
          ...ownerRefusals,
        )
        .describe({ summary: 'Registers a key that acts as an account for a while.' }),
    ),
    endSupportSession: allow.bearer('support too')(
      route
        .post('/_auth/support/sessions/end')
        .input({ body: t.Object({ keyId: t.String({ maxLength: 128 }) }) })
        .answer(t.Undefined(), 204)
        .errors(KeyNotFoundError)
        .describe({
          summary: 'Ends a support session: signed by its operator’s key, or by its own.',
        }),
    ),
    createSupportCode: allow.fresh(
      route
        .post('/_auth/support/code')
        .input({ body: t.Object({ currentPassword }) })
        .answer(
          t.Object({
            code: t.String({ description: 'Good once. The owner tells it to the operator.' }),
            expiresAtMillis: t.Integer(),
          }),
        )
        .errors(ForbiddenError, ...ownerRefusals)
        .describe({ summary: 'Makes the code with which an operator may open a session.' }),
    ),
  },
  errors: [SupportCodeError],
  limits: {
    'support session by account': perMinute(10),
    'support code by account': perMinute(5),
  },
  browser: {
    openSupportSession: 'takes a foreign key',
  },
  requires: 'It is there where support sessions are turned on.',
})
