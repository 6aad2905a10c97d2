import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import { at, currentPassword, ofOne, ofOrg } from '../membership/contract.ts'
import { OrganizationPolicyError } from '../membership/errors.ts'

const ways = t.Array(t.String({ pattern: '^[a-z][a-z0-9-]{1,31}$' }), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'The ways of which one must have signed the device in: `password`, `code`, `passkey`, the id of a provider such as `google`, or a way of a capability.',
})
// The life of a key is 90 days.
const hours = (description: string) => t.Integer({ minimum: 1, maximum: 2160, description })
const maxKeyAgeHours = hours('How long ago the device may have signed in.')
const maxIdleHours = hours('How long the device may have been unused.')
const domains = t.Array(t.String({ minLength: 3, maxLength: 253 }), {
  minItems: 1,
  maxItems: 50,
  description: 'A member must have proved an email address of one of these domains.',
})

/** What an organization asks of its members. What it does not ask is left out. */
export const OrganizationPolicies = t.Object({
  requireSecondFactor: t.Boolean(),
  secondFactorBy: t.Optional(
    t.String({
      format: 'date-time',
      description: 'From then on it is asked of those who were members before it was required.',
    }),
  ),
  waysIn: t.Optional(ways),
  maxKeyAgeHours: t.Optional(maxKeyAgeHours),
  maxIdleHours: t.Optional(maxIdleHours),
  allowedDomains: t.Optional(domains),
})

const orNone = <Schema extends t.TSchema>(schema: Schema) =>
  t.Optional(t.Union([schema, t.Null()], { description: 'Null asks it no more.' }))

export const ofPolicies = {
  getOrganizationPolicies: allow.inEvenIfRefused(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org/policies`)
      .input(ofOne)
      .answer(OrganizationPolicies)
      .describe({ summary: 'Reads what an organization asks of its members.' }),
  ),
  updateOrganizationPolicies: allow.freshInMay(
    'organization',
    'policy:update',
  )(
    route
      .patch(`${at}/:org/policies`)
      .input({
        params: ofOrg,
        body: t.Object({
          requireSecondFactor: t.Optional(t.Boolean()),
          secondFactorWindowDays: t.Optional(
            t.Integer({
              minimum: 0,
              maximum: 30,
              description:
                'How long members who are there already have for it, from now on. 7 unless set.',
            }),
          ),
          waysIn: orNone(ways),
          maxKeyAgeHours: orNone(maxKeyAgeHours),
          maxIdleHours: orNone(maxIdleHours),
          allowedDomains: orNone(domains),
          currentPassword,
        }),
      })
      .answer(OrganizationPolicies)
      .errors(OrganizationPolicyError, ...limitRefusals)
      .describe({
        summary:
          'Changes what an organization asks of its members. It counts from their next request on. The caller must meet it.',
      }),
  ),
}
