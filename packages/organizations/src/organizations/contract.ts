import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import {
  at,
  currentPassword,
  id,
  moment,
  name,
  ofOne,
  ofOrg,
  slug,
} from '../membership/contract.ts'
import {
  OrganizationFullError,
  OrganizationNotFoundError,
  PersonalOrganizationError,
  SlugTakenError,
} from '../membership/errors.ts'

const needs = ['domain', 'second-factor', 'way-in', 'sign-in-again'] as const

/** An organization as a member sees it. */
export const Organization = t.Object({
  organizationId: t.String(),
  name: t.String(),
  slug: t.String(),
  createdAt: moment,
})

/** The same, with what the caller may do in it. */
export const OwnOrganization = t.Object({
  ...Organization.properties,
  roles: t.Array(t.String(), { description: 'The roles of the caller.' }),
  permissions: t.Array(t.String(), { description: 'What they permit.' }),
})

/** The same, with what the organization asks of the caller. */
export const ReadOrganization = t.Object({
  ...OwnOrganization.properties,
  unmet: t.Array(t.Union(needs.map((need) => t.Literal(need))), {
    description:
      'What the caller has to do before anything else in it, as `needs` of an OrganizationPolicyError says it.',
  }),
  secondFactorBy: t.Optional(
    t.String({
      format: 'date-time',
      description: 'From then on a second factor is asked of the caller, whose account has none.',
    }),
  ),
})

/** The same in the list of the caller's organizations. */
export const ListedOrganization = t.Object({
  ...Organization.properties,
  roles: t.Array(t.String()),
  purgeAt: t.Optional(
    t.String({ format: 'date-time', description: 'It is closed, and will be deleted then.' }),
  ),
  isPersonal: t.Optional(
    t.Literal(true, { description: 'It is the caller’s own, and has no other members.' }),
  ),
})

export const ofOrganizations = {
  createOrganization: allow.bearer('owner only')(
    route
      .post(at)
      .input({ body: t.Object({ name, slug: t.Optional(slug) }) })
      .answer(OwnOrganization, 201)
      .errors(SlugTakenError, OrganizationFullError, ...limitRefusals)
      .describe({ summary: 'Creates an organization. The caller is its owner.' }),
  ),
  listOrganizations: allow.bearer('support too')(
    route
      .get(at)
      .answer(t.Object({ organizations: t.Array(ListedOrganization) }))
      .describe({ summary: 'Lists the organizations that the caller is a member of.' }),
  ),
  getOrganization: allow.inEvenIfRefused(
    'organization',
    'support too',
  )(
    route.get(`${at}/:org`).input(ofOne).answer(ReadOrganization).describe({
      summary: 'Reads an organization, with what the caller may and has to do in it.',
    }),
  ),
  updateOrganization: allow.inMay(
    'organization',
    'organization:update',
    'owner only',
  )(
    route
      .patch(`${at}/:org`)
      .input({ params: ofOrg, body: t.Object({ name: t.Optional(name), slug: t.Optional(slug) }) })
      .answer(Organization)
      .errors(SlugTakenError, ...limitRefusals)
      .describe({ summary: 'Changes the name or the slug of an organization.' }),
  ),
  closeOrganization: allow.freshInMay(
    'organization',
    'organization:close',
  )(
    route
      .post(`${at}/:org/close`)
      .input({ params: ofOrg, body: t.Object({ currentPassword }) })
      .answer(t.Object({ purgeAt: moment }))
      .errors(PersonalOrganizationError, ...limitRefusals)
      .describe({
        summary:
          'Closes an organization: no member can use it any more. It is deleted later, and until then an owner can open it again.',
      }),
  ),
  reopenOrganization: allow.fresh(
    route
      .post(`${at}/reopen`)
      .input({ body: t.Object({ organizationId: id, currentPassword }) })
      .answer(Organization)
      .errors(OrganizationNotFoundError, ...limitRefusals)
      .describe({
        summary: 'Opens a closed organization again. An owner may, until it is deleted.',
      }),
  ),
}
