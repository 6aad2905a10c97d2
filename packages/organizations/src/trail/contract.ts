import { allow } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { pageOf, pageQuery } from '@svc/core/paging'
import { at, moment, ofOrg } from '../membership/contract.ts'

/** What was done in an organization, as its members may see it. */
export const OrganizationAuditEntry = t.Object({
  at: moment,
  act: t.String(),
  outcome: t.Union([t.Literal('done'), t.Literal('refused')]),
  actor: t.Optional(t.String({ description: 'Who did it. It never names an operator.' })),
  actorName: t.Optional(t.String({ description: 'For a member or a service account of now.' })),
  target: t.Optional(t.String({ description: 'Whom or what it was done to.' })),
  targetName: t.Optional(t.String({ description: 'For a member or a service account of now.' })),
  details: t.Optional(t.Record(t.String(), t.Unknown())),
  byOperator: t.Boolean({
    description:
      'An operator did it; if there is an actor, then in their name, in a support session.',
  }),
})

export const ofTrail = {
  listOrganizationAudit: allow.inMay(
    'organization',
    'audit:read',
    'owner only',
  )(
    route
      .get(`${at}/:org/audit`)
      .input({
        params: ofOrg,
        query: t.Object({
          act: t.Optional(
            t.String({ maxLength: 100, description: 'Such as `organization.member_added`.' }),
          ),
          actor: t.Optional(t.String({ format: 'uuid', description: 'Who did it: a user id.' })),
          from: t.Optional(
            t.String({ maxLength: 40, description: 'The first moment, or a date.' }),
          ),
          to: t.Optional(
            t.String({ maxLength: 40, description: 'The moment after the last, or a date.' }),
          ),
          ...pageQuery,
        }),
      })
      .answer(pageOf(OrganizationAuditEntry))
      .describe({ summary: 'Who did what in an organization, the newest first.' }),
  ),
}
