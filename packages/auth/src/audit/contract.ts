import { type OutputOf, route, t } from '@svc/core/contract'
import { AccountLabel } from '../accounts/fields.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { pageQuery, pagination } from '../pagination.ts'

/**
 * A line of the trail. The signed request that proves it is not shown: `hasProof` says that there is one. Repeated
 * refusals of unsigned requests within an hour share a line: `times` is their number, `lastAt` the time of the last.
 */
export const AuditItem = t.Object({
  auditId: t.Integer(),
  at: t.String(),
  act: t.String(),
  outcome: t.Union([t.Literal('done'), t.Literal('refused')]),
  actor: t.Optional(t.String()),
  /** Set for callers who may read users. */
  actorAccount: t.Optional(AccountLabel),
  keyId: t.Optional(t.String()),
  target: t.Optional(t.String()),
  /** Set for callers who may read users, if it was done to an account. */
  targetAccount: t.Optional(AccountLabel),
  details: t.Optional(t.Record(t.String(), t.Unknown())),
  address: t.Optional(t.String()),
  requestId: t.Optional(t.String()),
  hasProof: t.Boolean(),
  times: t.Integer(),
  lastAt: t.Optional(t.String()),
})
export type AuditItem = OutputOf<typeof AuditItem>

const moment = t.String({ maxLength: 40, description: 'ISO 8601, such as 2030-01-31T12:00:00Z' })

export const auditContract = defineContract('audit', {
  at: '/_auth/admin',
  operations: {
    listAuditEvents: allow.may(
      'audit:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/audit')
        .input({
          query: t.Object({
            actor: t.Optional(
              t.String({
                minLength: 1,
                maxLength: 320,
                description: 'Who did it: a user id, or an address, number or username.',
              }),
            ),
            target: t.Optional(
              t.String({
                maxLength: 320,
                description: 'Whom or what it was done to.',
              }),
            ),
            act: t.Optional(t.String({ maxLength: 100, description: 'Such as `role.created`.' })),
            from: t.Optional(moment),
            to: t.Optional(moment),
            ...pageQuery,
          }),
        })
        .answer(
          t.Object({
            success: t.Literal(true),
            data: t.Array(AuditItem),
            meta: t.Object({ pagination }),
          }),
        )
        .describe({ summary: 'Who did what, the newest first; `from` is within, `to` is not.' }),
    ),
  },
})
