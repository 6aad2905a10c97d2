import { type OutputOf, route, t } from '@svc/core/contract'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { ApprovalNotFoundError, ApprovalRefusedError, ApprovalRequiredError } from './errors.ts'

const AskerKind = t.Unsafe<'agent' | 'machine' | 'device'>(t.String())

const Approval = t.Object({
  approvalId: t.String(),
  asker: t.Object({
    kind: AskerKind,
    name: t.Optional(t.String({ description: 'What it calls itself.' })),
  }),
  operation: t.String({ description: 'Its method and path.' }),
  title: t.String({ description: 'What the call does.' }),
  given: t.Record(t.String(), t.Unknown(), { description: 'The values of the call, by name.' }),
  askedAtMillis: t.Integer(),
  expiresAtMillis: t.Integer(),
})
/** A call that the owner of the account is asked to approve. */
export type Approval = OutputOf<typeof Approval>

const params = t.Object({
  approvalId: t.String({ maxLength: 64, description: 'As `listApprovals` has it.' }),
})

/** One call of a program or of a terminal, which the owner of the account approves or refuses. */
export const approvalContract = defineContract('approvals', {
  operations: {
    listApprovals: allow.bearer('owner only')(
      route
        .get('/_auth/approvals')
        .answer(t.Object({ approvals: t.Array(Approval) }))
        .errors(...limitRefusals)
        .describe({ summary: 'The calls that wait for the caller’s approval, the newest first.' }),
    ),
    approveCall: allow.fresh(
      route
        .post('/_auth/approvals/:approvalId/approve')
        .input({ params, body: t.Object({}) })
        .answer(t.Undefined(), 204)
        .errors(ApprovalNotFoundError, ...proofRefusals, ...limitRefusals)
        .describe({ summary: 'Approves a call: it may be made once, within ten minutes.' }),
    ),
    refuseCall: allow.bearer('owner only')(
      route
        .post('/_auth/approvals/:approvalId/refuse')
        .input({ params, body: t.Object({}) })
        .answer(t.Undefined(), 204)
        .errors(ApprovalNotFoundError, ...limitRefusals)
        .describe({ summary: 'Refuses a call.' }),
    ),
  },
  errors: [ApprovalRequiredError, ApprovalRefusedError, ApprovalNotFoundError],
  limits: {
    'approval list by account': perMinute(120),
    'approval by account': perMinute(60),
    'approval asked by account': perMinute(20),
  },
})
