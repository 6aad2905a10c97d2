import { ForbiddenError, route, t } from '@svc/core/contract'
import { allow } from '../capability/access.ts'

export const oneTimeTokenContract = {
  issueOneTimeToken: allow.anyKey(
    route
      .post('/_auth/tokens')
      .answer(t.Object({ token: t.String(), expiresAt: t.String() }))
      .errors(ForbiddenError)
      .describe({ summary: 'A token for one handshake within 30 seconds, such as a stream’s.' }),
  ),
}
