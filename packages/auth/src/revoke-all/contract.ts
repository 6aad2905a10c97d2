import { route, t } from '@svc/core/contract'
import { StepUpRequiredError } from '../caller/errors.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { linkToken } from '../links/contract.ts'
import { RevokeAllLinkError } from './errors.ts'

const link = { body: t.Object({ token: linkToken }) }
const linkRefusals = [RevokeAllLinkError, ...limitRefusals] as const

export const revokeAllContract = defineContract('revoke-all', {
  at: '/_auth/keys/revoke-all',
  operations: {
    revokeAllKeys: allow.stepUp(
      route
        .post('/_auth/keys/revoke-all')
        .input({ body: t.Object({ includeCurrent: t.Optional(t.Boolean()) }) })
        .answer(t.Object({ revokedCount: t.Integer(), currentKeyRevoked: t.Boolean() }))
        .errors(StepUpRequiredError)
        .inContract('auth.keys.revokeAll', { proof: true })
        .describe({ summary: 'Signs out every other device, or every device.' }),
    ),
    confirmRevokeAllLink: allow.public('revoke-all link by address')(
      route
        .post('/_auth/keys/revoke-all/confirm')
        .input(link)
        .answer(t.Object({ expiresAt: t.String(), activeKeyCount: t.Integer() }))
        .errors(...linkRefusals)
        .describe({
          summary: 'Returns what a sign-out-everywhere link would do. It changes nothing.',
        }),
    ),
    consumeRevokeAllLink: allow.public('revoke-all link by address')(
      route
        .post('/_auth/keys/revoke-all/consume')
        .input(link)
        .answer(t.Object({ revokedCount: t.Integer() }))
        .errors(...linkRefusals)
        .describe({ summary: 'Uses the link, and signs out every device.' }),
    ),
  },
  errors: [RevokeAllLinkError],
  limits: {
    'revoke-all link by address': perMinute(10),
  },
  browser: {
    revokeAllKeys: 'ends keys',
  },
})
