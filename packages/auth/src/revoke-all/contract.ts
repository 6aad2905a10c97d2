import { route, t } from '@svc/core/contract'
import { allow } from '../access.ts'
import { StepUpRequiredError } from '../authenticate/errors.ts'

export const revokeAllContract = {
  revokeAllKeys: allow.stepUp(
    route
      .post('/_auth/keys/revoke-all')
      .input({ body: t.Object({ includeCurrent: t.Optional(t.Boolean()) }) })
      .answer(t.Object({ revokedCount: t.Integer(), currentKeyRevoked: t.Boolean() }))
      .errors(StepUpRequiredError)
      .describe({ summary: 'Signs every other device out, or every device.' }),
  ),
}
