import { route, ServiceUnavailableError, TooManyRequestsError, t } from '@svc/core/contract'
import { allow } from '../access.ts'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../authenticate/errors.ts'
import { InvalidCredentialsError } from '../login/errors.ts'
import { WeakPasswordError } from '../passwords/errors.ts'

export const passwordContract = {
  changePassword: allow.stepUp(
    route
      .put('/_auth/password')
      .input({
        body: t.Object({
          currentPassword: t.Optional(t.String({ maxLength: 1024 })),
          newPassword: t.String({ maxLength: 1024 }),
        }),
      })
      .answer(t.Undefined(), 204)
      .errors(
        InvalidCredentialsError,
        WeakPasswordError,
        RecentAuthenticationRequiredError,
        StepUpRequiredError,
        TooManyRequestsError,
        ServiceUnavailableError,
      )
      .describe({ summary: 'Sets a new password and signs every other device out.' }),
  ),
}
