import { type Capability, defineCapability, type StandingReader } from '@svc/auth/server'
import type { Db, Infrastructure } from '@svc/core'
import { forgetMember, sweep } from './account.ts'
import { organizations as contract } from './contract.ts'
import { allPublicMailDomains, checkDomains, domainHandlers } from './domains/server.ts'
import { exported } from './exported.ts'
import { acrossRole, requireFence } from './fence/fence.ts'
import { organizationImporter } from './imports/imports.ts'
import { invitationHandlers, invitationMail, mailInvitation } from './invitations/server.ts'
import { memberHandlers } from './members/server.ts'
import { memberChanged, organizationChanged } from './membership/events.ts'
import {
  type BuiltInGrants,
  hold,
  membersAmong,
  type OrganizationPermission,
  organizationActs,
  permissionsOf,
  standingReader,
  type TxtResolver,
} from './membership/membership.ts'
import { noticeJobs, noticeMails } from './notices/notices.ts'
import { operatorHandlers, operatorPermissions } from './operators/server.ts'
import { organizationHandlers } from './organizations/server.ts'
import { policyHandlers } from './policies/server.ts'
import { roleHandlers } from './roles/server.ts'
import * as tables from './schema.ts'
import { serviceAccountHandlers } from './service-accounts/server.ts'
import { granteesOf } from './service-accounts/service-accounts.ts'
import { teamHandlers } from './teams/server.ts'
import { trailHandlers } from './trail/server.ts'

/** What `organizations` takes: permissions of your application, and bounds. */
export interface OrganizationOptions {
  /** The permissions of your application in an organization, such as `invoice:write`. */
  permissions?: readonly OrganizationPermission[]
  /** Which of them the built-in roles grant. An owner has all. */
  roles?: BuiltInGrants
  /** How many members an organization may have. 100,000 unless set. */
  maxMembers?: number
  /** How many organizations a user may own. 100 unless set. */
  maxOwned?: number
  /** How long a closed organization can be opened again. 30 days unless set. */
  windowDays?: number
  /** The page of the web app that an invitation opens. `/invitation/organization` unless set. */
  invitationPage?: `/${string}`
  /** The page of the web app that lists organizations. Mails lead to the pages below it. `/orgs` unless set. */
  organizationsPage?: `/${string}`
  /** Acts of your application that members with `audit:read` see, with their details. None unless set. */
  trailActs?: readonly string[]
  /** Gives each user an organization of their own, without other members. Off unless set. */
  personal?: boolean
  /** Looks up the records that prove domains: a `Resolver` of `node:dns/promises`. That of this machine unless set. */
  dnsResolver?: TxtResolver
  /** Further domains where everyone can get an address. No organization can add them, as with `gmail.com`. */
  publicMailDomains?: readonly string[]
}

/** Organizations with members, roles, teams and invitations. */
export function organizations({
  permissions: declared = [],
  roles = {},
  maxMembers = 100_000,
  maxOwned = 100,
  windowDays = 30,
  invitationPage = '/invitation/organization',
  organizationsPage = '/orgs',
  trailActs = [],
  personal = false,
  dnsResolver,
  publicMailDomains = [],
}: OrganizationOptions = {}): Capability<typeof contract> {
  const permissions = permissionsOf(declared, roles)
  const bounds = { maxMembers, maxOwned, windowDays }
  const pages = { invitationPage, organizationsPage }
  const domains = { dnsResolver, publicMailDomains: allPublicMailDomains(publicMailDomains) }
  const options = { permissions, ...bounds, ...pages, trailActs, personal, ...domains }
  return defineCapability(contract, {
    tables,
    migrations: {
      name: contract.name,
      directory: new URL('../migrations/', import.meta.url),
      roles: [acrossRole],
    },
    permissions: operatorPermissions,
    audit: organizationActs,
    imports: { organizations: organizationImporter(options) },
    mails: [invitationMail, ...noticeMails],
    jobs: { ...noticeJobs, checkDomains },
    linkMails: { 'organizations/invitation': mailInvitation },
    standing: standingReader(permissions),
    tenantPermissions: permissions.names,
    open: ({ server, service }) => ({ ...options, unsubscribe: endStreams(service.db, server) }),
    start(auth) {
      hold(auth)
      return requireFence(auth.db)
    },
    close: ({ unsubscribe }) => unsubscribe(),
    handlers: {
      ...organizationHandlers,
      ...memberHandlers,
      ...roleHandlers,
      ...invitationHandlers,
      ...domainHandlers,
      ...teamHandlers,
      ...serviceAccountHandlers,
      ...policyHandlers,
      ...trailHandlers,
      ...operatorHandlers,
    },
    account: {
      export: exported,
      forget: (tx, account, auth) => forgetMember(tx, account, auth),
      sweep: (db, now, auth) => sweep(db, now, auth),
      grantees: granteesOf(standingReader(permissions) as StandingReader),
    },
  })
}

/** A stream asks again for each channel that it follows when its user may do other things. */
function endStreams(db: Db, { streams }: Pick<Infrastructure, 'streams'>) {
  const endings = [
    memberChanged.subscribe(({ userId }) => streams.reauthorize(userId)),
    organizationChanged.subscribe(async ({ organizationId }) => {
      for (const userId of await membersAmong(db, organizationId, streams.owners())) {
        streams.reauthorize(userId)
      }
    }),
  ]
  return () => {
    for (const end of endings) end()
  }
}
