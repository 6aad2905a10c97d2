import { route, t } from '@svc/core/contract'
import { AccountDisabledError, InvalidCredentialsError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract, knownBrowserInput } from '../capability/contract.ts'
import { tokenRefusals } from '../codes/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { loginLimits } from '../login/contract.ts'
import { LastSuperadminError } from '../roles/errors.ts'

/** Either one proves that the owner asks: the purpose of the code is `account_deletion`. */
const proof = {
  password: t.Optional(t.String({ maxLength: 1024 })),
  verificationToken: t.Optional(t.String({ maxLength: 2048 })),
}

export const deletionContract = defineContract('deletion', {
  operations: {
    requestAccountDeletion: allow.stepUp(
      route
        .post('/_auth/deletion/request')
        .input({ body: t.Object({ ...proof, reason: t.Optional(t.String({ maxLength: 1000 })) }) })
        .answer(t.Object({ purgeScheduledAt: t.String() }))
        .errors(
          InvalidCredentialsError,
          ...tokenRefusals,
          ...proofRefusals,
          LastSuperadminError,
          ...limitRefusals,
        )
        .describe({ summary: 'Closes the account. It is deleted when its grace period ends.' }),
    ),
    cancelAccountDeletion: allow.public('login by address')(
      route
        .post('/_auth/deletion/cancel')
        .input({
          headers: knownBrowserInput,
          body: t.Object({
            email: t.Optional(t.String({ maxLength: 320 })),
            phone: t.Optional(t.String({ maxLength: 64 })),
            ...proof,
          }),
        })
        .answer(t.Undefined(), 204)
        .errors(InvalidCredentialsError, ...tokenRefusals, AccountDisabledError, ...limitRefusals)
        .describe({ summary: 'Restores an account that is going to be deleted.' }),
    ),
  },
  limits: {
    'deletion request by account': perMinute(10),
    ...loginLimits,
  },
  browser: {
    requestAccountDeletion: 'signs out',
  },
})
