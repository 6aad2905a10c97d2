import { route, t } from '@svc/core/contract'
import { StepUpRequiredError } from '../caller/errors.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

export const dataExportContract = defineContract('data-export', {
  at: '/_auth/users',
  operations: {
    exportUserData: allow.stepUp(
      route
        .post('/_auth/users/export')
        .answer(t.Record(t.String(), t.Unknown()))
        .errors(StepUpRequiredError, ...limitRefusals)
        .describe({ summary: 'Returns all data of the caller, without secrets.' }),
    ),
  },
  limits: {
    'data export by account': perMinute(5),
  },
})
