import { route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { currentPassword, ownerRefusals, passwordLimits } from '../fresh-proof/contract.ts'
import { WeakPasswordError } from '../passwords/errors.ts'

export const passwordContract = defineContract('password', {
  operations: {
    changePassword: allow.stepUp(
      route
        .put('/_auth/password')
        .input({
          body: t.Object({
            currentPassword,
            newPassword: t.String({ maxLength: 1024 }),
          }),
        })
        .answer(t.Undefined(), 204)
        .errors(WeakPasswordError, ...ownerRefusals)
        .describe({ summary: 'Sets a new password, and signs out every other device.' }),
    ),
  },
  limits: {
    ...passwordLimits,
  },
})
