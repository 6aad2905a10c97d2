import { ForbiddenError, route, t } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'

export const oneTimeTokenContract = defineContract('one-time-token', {
  at: '/_auth/tokens',
  operations: {
    issueOneTimeToken: allow.anyKey('owner only')(
      route
        .post('/_auth/tokens')
        .answer(t.Object({ token: t.String(), expiresAt: t.String() }))
        .errors(ForbiddenError)
        .describe({
          summary: 'Returns a token for one handshake within 30 seconds.',
        }),
    ),
  },
})
