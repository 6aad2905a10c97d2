import type { Standing } from '@svc/auth/server'
import { type Db, type Tx, ValidationError } from '@svc/core'
import { isOnlyRoleOfDomain, takeFromDomains } from '../domains/domains.ts'
import { cancelForRole } from '../invitations/invitations.ts'
import {
  OrganizationFullError,
  OrganizationRoleExistsError,
  OrganizationRoleNotFoundError,
} from '../membership/errors.ts'
import { organizationChanged } from '../membership/events.ts'
import {
  type By,
  builtInNames,
  builtInRoles,
  type Changer,
  change,
  isBuiltIn,
  note,
  type OrganizationAct,
  type OrganizationHeld,
  refuseGreater,
  refuseGreaterRoles,
  rolesOf,
  type StoredRole,
} from '../membership/membership.ts'
import { takeFromTeams } from '../teams/teams.ts'
import * as store from './store.ts'

export async function listRoles({ db, permissions }: OrganizationHeld, { id }: Standing) {
  const builtIn = builtInRoles.map((name) => ({
    name,
    displayName: builtInNames[name],
    permissions: [...permissions.ofRole[name]],
    isBuiltIn: true,
  }))
  const own = (await rolesOf(db, id)).map((role) => ({ ...role, isBuiltIn: false }))
  return { roles: [...builtIn, ...own], permissions: [...permissions.all] }
}

interface Changing {
  readonly standing: Standing
  readonly by: By
}

const permission = 'role:manage'
// As many as a page can show at once.
const mostRoles = 50

export async function createRole(
  auth: OrganizationHeld,
  { name, displayName, permissions: given }: StoredRole,
  asked: Changing,
) {
  const permissions = declared(auth, given)
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId } = me
    refuseGreater(me, permissions)
    if (isBuiltIn(name)) throw new OrganizationRoleExistsError()
    if ((await rolesOf(tx, organizationId)).length >= mostRoles) {
      throw new OrganizationFullError()
    }
    const role = { name, displayName, permissions }
    const createdAt = auth.clock.now()
    await takeFromDomains(tx, organizationId)
    if (!(await store.insertRole(tx, { ...role, organizationId, createdAt }))) {
      throw new OrganizationRoleExistsError()
    }
    await told(auth, tx, { act: 'organization.role_created', me, role })
    return { ...role, isBuiltIn: false }
  })
}

interface RoleChanges {
  displayName?: string | undefined
  permissions?: readonly string[] | undefined
}

export async function updateRole(
  auth: OrganizationHeld,
  { role: name, ...changes }: RoleChanges & { role: string },
  asked: Changing,
) {
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const before = await findRole(auth, tx, { ...me, name })
    const { displayName = before.displayName } = changes
    const permissions = changes.permissions
      ? declared(auth, changes.permissions)
      : before.permissions
    refuseGreater(me, before.permissions)
    refuseGreater(me, permissions)
    const role = { name, displayName, permissions }
    await store.updateRole(tx, me.organizationId, role)
    await told(auth, tx, { act: 'organization.role_updated', me, role })
    return { ...role, isBuiltIn: false }
  })
}

export async function deleteRole(auth: OrganizationHeld, name: string, asked: Changing) {
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const role = await findRole(auth, tx, { ...me, name })
    refuseGreater(me, role.permissions)
    const { organizationId } = me
    const isOnly =
      (await store.isOnlyRole(tx, organizationId, name)) ||
      (await isOnlyRoleOfDomain(tx, organizationId, name))
    // They become plain members, who may do more than the role permits.
    if (isOnly) {
      await refuseGreaterRoles(auth, tx, { me, roles: ['member'] })
    }
    await store.deleteRole(tx, organizationId, name)
    await takeFromTeams(tx, organizationId, name)
    await takeFromDomains(tx, organizationId)
    await cancelForRole(tx, { organizationId, role: name, now: auth.clock.now() })
    await told(auth, tx, { act: 'organization.role_deleted', me, role })
  })
}

async function findRole({ permissions: { names } }: OrganizationHeld, db: Db, named: Named) {
  const [role] = await rolesOf(db, named.organizationId, [named.name])
  if (!role) throw new OrganizationRoleNotFoundError()
  // Those that the application does not declare any more permit nothing.
  return { ...role, permissions: names.filter((each) => role.permissions.includes(each)) }
}

interface Named {
  readonly organizationId: string
  readonly name: string
}

function declared({ permissions: { names } }: OrganizationHeld, given: readonly string[]) {
  const unknown = given.find((name) => !names.includes(name))
  if (unknown === undefined) return names.filter((name) => given.includes(name))
  const message = 'Choose permissions that listOrganizationRoles lists.'
  throw new ValidationError({ fields: [{ path: 'body.permissions', message }] })
}

interface Told {
  readonly act: OrganizationAct
  readonly me: Changer
  readonly role: StoredRole
}

async function told(auth: OrganizationHeld, tx: Tx, { act, me, role }: Told) {
  const { organizationId } = me
  const details = { role: role.name, permissions: role.permissions }
  await note(auth, tx, { act, organizationId, by: me, target: role.name, details })
  await organizationChanged.emit({ organizationId })
}
