import {
  type Connection,
  type Consenting,
  createServiceAccount,
  type GranteeParts,
  type StandingReader,
} from '@svc/auth/server'
import type { Tx } from '@svc/core'
import { OrganizationNotFoundError } from '../membership/errors.ts'
import { memberChanged } from '../membership/events.ts'
import {
  isUuid,
  lockOrganization,
  note,
  type OrganizationHeld,
  type OrganizationStanding,
} from '../membership/membership.ts'
import { tellOfAgent } from '../notices/notices.ts'
import * as store from './store.ts'

/** Lets members connect agents for an organization. */
export function granteesOf(reader: StandingReader): GranteeParts<OrganizationHeld> {
  return {
    async find(db, user) {
      const standings = await store.standingsOf(db, reader, user)
      return standings.filter(mayConnect).map(({ id, name }) => ({ id, name }))
    },
    take: (tx, connection, auth) => connect(tx, auth, { reader, connection }),
  }
}

const permission = 'agent:connect'

/** A member who has to do something first, such as set up a second factor, gives no agent access either. */
const mayConnect = ({ permissions, refused }: OrganizationStanding) =>
  permissions.includes(permission) && !refused

interface Given {
  readonly reader: StandingReader
  readonly connection: Connection
}

async function connect(tx: Tx, auth: OrganizationHeld, { reader, connection }: Given) {
  const { client, userId, origin } = connection
  const me = await lockStanding(tx, reader, connection)
  if (!me || !mayConnect(me)) return 'unknown'
  const organizationId = me.id
  if ((await store.programsOf(tx, organizationId)).length >= store.mostAccounts) return 'full'
  const now = auth.clock.now()
  const account = await createServiceAccount(tx, { name: client.name, now })
  const roles = rolesFor(me)
  await store.insertProgram(tx, { organizationId, userId: account.userId, roles, createdAt: now })
  const target = account.userId
  const details = { clientId: client.clientId, clientName: client.name, roles }
  const by = { userId, origin }
  await note(auth, tx, {
    act: 'organization.agent_connected',
    organizationId,
    by,
    target,
    details,
  })
  await memberChanged.emit({ organizationId, userId: target })
  await tellOfAgent(tx, auth, { organizationId, by: userId, clientName: client.name, roles })
  return account
}

/** Null if the organization is closed, or if the user is no member of it now. */
async function lockStanding(
  tx: Tx,
  reader: StandingReader,
  { tenant, ...user }: Consenting & { tenant: string },
) {
  if (!isUuid(tenant)) return null
  try {
    await lockOrganization(tx, tenant)
  } catch (error) {
    if (error instanceof OrganizationNotFoundError) return null
    throw error
  }
  const [found] = await store.standingsOf(tx, reader, { ...user, tenant })
  return found ?? null
}

/** The member's own roles. An owner is more than its permissions, and no program is one. */
function rolesFor({ roles }: OrganizationStanding) {
  return [...new Set(roles.map((role) => (role === 'owner' ? 'admin' : role)))]
}
