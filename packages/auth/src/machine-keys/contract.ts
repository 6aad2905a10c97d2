import { ConflictError, ForbiddenError, route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { KeyListItem, keyFields, keyRefusals } from '../capability/fields.ts'
import { currentPassword, ownerRefusals } from '../fresh-proof/contract.ts'
import { perMinute } from '../limits/contract.ts'

export const machineKeyContract = defineContract('machine-keys', {
  at: '/_auth/keys/machine',
  operations: {
    createMachineKey: allow.fresh(
      route
        .post('/_auth/keys/machine')
        .input({
          body: t.Object({
            ...keyFields,
            permissions: t.Array(t.String({ maxLength: 128 }), { maxItems: 64 }),
            expiresInDays: t.Optional(t.Integer({ minimum: 1, maximum: 365 })),
            currentPassword,
          }),
        })
        .answer(KeyListItem)
        .errors(ForbiddenError, ConflictError, ...keyRefusals, ...ownerRefusals)
        .describe({
          summary: 'Registers the key of a program with some of the caller’s permissions.',
        }),
    ),
  },
  limits: {
    'machine key by account': perMinute(10),
  },
  browser: {
    createMachineKey: 'takes a foreign key',
  },
})
