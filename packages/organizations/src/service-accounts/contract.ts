import { KeyNotFoundError } from '@svc/auth'
import { allow, KeyListItem, keyFields, keyRefusals, limitRefusals } from '@svc/auth/contract'
import { ConflictError, route, t } from '@svc/core/contract'
import {
  at,
  currentPassword,
  id,
  moment,
  name,
  nothing,
  ofMember,
  ofOne,
  ofOrg,
  someRoles,
} from '../membership/contract.ts'
import {
  MoreThanOwnRoleError,
  OrganizationFullError,
  OrganizationRoleNotFoundError,
  ServiceAccountNotFoundError,
} from '../membership/errors.ts'

/** An account of an organization for its programs. */
export const OrganizationServiceAccount = t.Object({
  userId: t.String(),
  name: t.Union([t.String(), t.Null()]),
  roles: t.Array(t.String()),
  createdAt: moment,
})

/** The same in the list, with what uses it. */
const ListedServiceAccount = t.Object({
  ...OrganizationServiceAccount.properties,
  keys: t.Integer({ description: 'How many keys of machines it has.' }),
  agent: t.Optional(
    t.Object(
      {
        clientId: t.String(),
        redirectHost: t.String({
          description: 'Where its answers go: a host, or the scheme of an app with its colon.',
        }),
        scopes: t.Array(t.String()),
      },
      { description: 'The agent that was connected with it, as long as it has access.' },
    ),
  ),
  lastUsedAt: t.Optional(moment),
  madeByName: t.Optional(
    t.String({ description: 'The member who made it, while they are a member and it is known.' }),
  ),
})

const manage = 'machine:manage'
const accounts = `${at}/:org/service-accounts` as const
const ofKey = t.Object({ org: id, userId: id, keyId: t.String({ maxLength: 64 }) })

export const ofServiceAccounts = {
  createServiceAccount: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .post(accounts)
      .input({ params: ofOrg, body: t.Object({ name, roles: someRoles, currentPassword }) })
      .answer(OrganizationServiceAccount, 201)
      .errors(
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Makes an account for programs, with roles that permit no more than those of the caller.',
      }),
  ),
  listServiceAccounts: allow.inMay(
    'organization',
    manage,
    'support too',
  )(
    route
      .get(accounts)
      .input(ofOne)
      .answer(t.Object({ serviceAccounts: t.Array(ListedServiceAccount) }))
      .describe({ summary: 'Lists the service accounts of an organization, the oldest first.' }),
  ),
  updateServiceAccount: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .patch(`${accounts}/:userId`)
      .input({
        params: ofMember,
        body: t.Object({ name: t.Optional(name), roles: t.Optional(someRoles), currentPassword }),
      })
      .answer(OrganizationServiceAccount)
      .errors(
        ServiceAccountNotFoundError,
        OrganizationRoleNotFoundError,
        MoreThanOwnRoleError,
        ...limitRefusals,
      )
      .describe({ summary: 'Changes the name or the roles of a service account.' }),
  ),
  deleteServiceAccount: allow.inMay(
    'organization',
    manage,
    'owner only',
  )(
    route
      .delete(`${accounts}/:userId`)
      .input({ params: ofMember })
      .answer(nothing, 204)
      .errors(ServiceAccountNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Deletes a service account, and ends its keys.' }),
  ),
  createServiceKey: allow.freshInMay(
    'organization',
    manage,
  )(
    route
      .post(`${accounts}/:userId/keys`)
      .input({
        params: ofMember,
        body: t.Object({
          ...keyFields,
          expiresInDays: t.Optional(t.Integer({ minimum: 1, maximum: 365 })),
          currentPassword,
        }),
      })
      .answer(KeyListItem, 201)
      .errors(
        ServiceAccountNotFoundError,
        MoreThanOwnRoleError,
        ConflictError,
        ...keyRefusals,
        ...limitRefusals,
      )
      .describe({
        summary:
          'Registers the key of a program under a service account that may not do more than the caller.',
      }),
  ),
  listServiceKeys: allow.inMay(
    'organization',
    manage,
    'support too',
  )(
    route
      .get(`${accounts}/:userId/keys`)
      .input({ params: ofMember })
      .answer(t.Object({ keys: t.Array(KeyListItem) }))
      .errors(ServiceAccountNotFoundError)
      .describe({ summary: 'Lists the keys of a service account that are not revoked.' }),
  ),
  revokeServiceKey: allow.inMay(
    'organization',
    manage,
    'owner only',
  )(
    route
      .delete(`${accounts}/:userId/keys/:keyId`)
      .input({ params: ofKey })
      .answer(nothing, 204)
      .errors(ServiceAccountNotFoundError, KeyNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Ends a key of a service account. Its next request is refused.' }),
  ),
}
