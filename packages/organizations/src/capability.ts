import { type Capability, defineCapability, type RequestOrigin } from '@svc/auth/server'
import type { Db, Infrastructure } from '@svc/core'
import { exportOrganizations, forgetMember, sweep } from './account.ts'
import { organizations as contract } from './contract.ts'
import { memberChanged, organizationChanged } from './events.ts'
import { acrossRole, requireFence } from './fence/fence.ts'
import { organizationActs } from './held.ts'
import {
  acceptInvitation,
  cancelInvitation,
  invite,
  listInvitations,
  mailInvitation,
} from './invitations.ts'
import { invitationMail } from './mail.ts'
import {
  handOver,
  leaveOrganization,
  listMembers,
  removeMember,
  setMemberRoles,
} from './members.ts'
import {
  closeOrganization,
  createOrganization,
  listOrganizations,
  reopenOrganization,
  updateOrganization,
} from './organizations.ts'
import { type BuiltInGrants, type OrganizationPermission, permissionsOf } from './permissions.ts'
import { createRole, deleteRole, listRoles, updateRole } from './roles.ts'
import * as tables from './schema.ts'
import { type OrganizationStanding, standingReader } from './standing.ts'
import { membersAmong } from './store.ts'

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
}

/** Organizations with members, roles and invitations. */
export function organizations({
  permissions: declared = [],
  roles = {},
  maxMembers = 100_000,
  maxOwned = 100,
  windowDays = 30,
  invitationPage = '/invitation/organization',
}: OrganizationOptions = {}): Capability<typeof contract> {
  const permissions = permissionsOf(declared, roles)
  const options = { permissions, maxMembers, maxOwned, windowDays, invitationPage }
  return defineCapability(contract, {
    tables,
    migrations: {
      name: contract.name,
      directory: new URL('../migrations/', import.meta.url),
      roles: [acrossRole],
    },
    audit: organizationActs,
    mails: [invitationMail],
    linkMails: { 'organizations/invitation': mailInvitation },
    standing: standingReader(permissions),
    tenantPermissions: permissions.names,
    open: ({ server, service }) => ({ ...options, unsubscribe: endStreams(service.db, server) }),
    start: ({ db }) => requireFence(db),
    close: ({ unsubscribe }) => unsubscribe(),
    handlers: {
      async createOrganization({ auth, caller, body, origin, c }) {
        return c.created(await createOrganization(auth, body, by(caller, origin)))
      },
      async listOrganizations({ auth, caller }) {
        return { organizations: await listOrganizations(auth, caller.userId) }
      },
      getOrganization({ standing }) {
        const {
          id: organizationId,
          name,
          slug,
          createdAt,
          ...may
        } = standing as OrganizationStanding
        return {
          organizationId,
          name,
          slug,
          createdAt,
          roles: [...may.roles],
          permissions: [...may.permissions],
        }
      },
      updateOrganization: ({ auth, standing, caller, body, origin }) =>
        updateOrganization(auth, body, { standing, by: by(caller, origin) }),
      closeOrganization: ({ auth, standing, caller, origin }) =>
        closeOrganization(auth, { standing, by: by(caller, origin) }),
      reopenOrganization: ({ auth, caller, body, origin }) =>
        reopenOrganization(auth, body.organizationId, by(caller, origin)),
      listOrganizationMembers: ({ auth, standing, query }) => listMembers(auth, standing, query),
      async setMemberRoles({ auth, standing, caller, params, body, origin, c }) {
        const { userId } = params
        const { roles: given } = body
        await setMemberRoles(auth, { standing, userId, roles: given, by: by(caller, origin) })
        return c.noContent()
      },
      async removeOrganizationMember({ auth, standing, caller, params, origin, c }) {
        await removeMember(auth, { standing, userId: params.userId, by: by(caller, origin) })
        return c.noContent()
      },
      async leaveOrganization({ auth, standing, caller, origin, c }) {
        await leaveOrganization(auth, { standing, by: by(caller, origin) })
        return c.noContent()
      },
      async handOverOrganization({ auth, standing, caller, body, origin, c }) {
        await handOver(auth, { standing, userId: body.userId, by: by(caller, origin) })
        return c.noContent()
      },
      listOrganizationRoles: ({ auth, standing }) => listRoles(auth, standing),
      async createOrganizationRole({ auth, standing, caller, body, origin, c }) {
        const { currentPassword: _, ...role } = body
        return c.created(await createRole(auth, role, { standing, by: by(caller, origin) }))
      },
      updateOrganizationRole({ auth, standing, caller, params, body, origin }) {
        const { currentPassword: _, ...changes } = body
        const asked = { standing, by: by(caller, origin) }
        return updateRole(auth, { ...changes, role: params.role }, asked)
      },
      async deleteOrganizationRole({ auth, standing, caller, params, origin, c }) {
        await deleteRole(auth, params.role, { standing, by: by(caller, origin) })
        return c.noContent()
      },
      async inviteToOrganization({ auth, standing, caller, body, origin, c }) {
        return c.created(await invite(auth, body, { standing, by: by(caller, origin) }))
      },
      async listOrganizationInvitations({ auth, standing }) {
        return { invitations: await listInvitations(auth, standing) }
      },
      async cancelOrganizationInvitation({ auth, standing, caller, params, origin, c }) {
        const asked = { standing, by: by(caller, origin) }
        await cancelInvitation(auth, params.invitationId, asked)
        return c.noContent()
      },
      acceptOrganizationInvitation: ({ auth, caller, body, origin }) =>
        acceptInvitation(auth, body.token, by(caller, origin)),
    },
    account: {
      export: { organizations: exportOrganizations },
      forget: (tx, account, { clock }) => forgetMember(tx, account, clock.now()),
      sweep: (db, now) => sweep(db, now),
    },
  })
}

const by = ({ userId }: { userId: string }, origin: RequestOrigin) => ({ userId, origin })

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
