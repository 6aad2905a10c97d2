import { type HeldRole, highestFirst } from '../accounts/accounts.ts'
import type { AccountRow } from './caller-types.ts'

interface RoleRow extends HeldRole {
  permissions: string[]
}

/** A row as `accountColumns` reads it. */
export type Stored<Row extends AccountRow> = Omit<Row, 'roles' | 'inactiveRoles'> & {
  /** Null for the many accounts with one role: for them only an index is read. */
  otherRoles: RoleRow[] | null
}

/** For statements in which the tables of accounts and roles are `u` and `r`. */
export const accountColumns = `
  u.user_id as "userId", u.public_id as "publicId", u.email, u.email_verified_at as "emailVerifiedAt",
  u.phone, u.phone_verified_at as "phoneVerifiedAt", u.username, u.status,
  u.password_change_required as "passwordChangeRequired", u.locale, u.generation,
  u.second_factor_since as "secondFactorSince",
  r.name as role, r.priority as "rolePriority", r.is_active as "roleIsActive",
  case when r.is_active then r.permissions else '{}' end as permissions,
  (select json_agg(json_build_object('name', o.name, 'priority', o.priority, 'isActive', o.is_active,
      'permissions', o.permissions))
    from svc_auth.account_roles a join svc_auth.roles o on o.name = a.role
    where a.user_id = u.user_id) as "otherRoles"`

/**
 * Joins all roles that were read: the highest gives its name, and every active one its permissions.
 */
export function withRoles<Row extends AccountRow>(stored: Stored<Row>): Row {
  const { otherRoles } = stored
  // In place, because every request runs this. Only the members that `Stored` leaves out are
  // missing.
  const roles = otherRoles ? joined(stored, otherRoles) : only(stored)
  return Object.assign(stored, roles) as unknown as Row
}

type Joined = Pick<
  AccountRow,
  'role' | 'rolePriority' | 'roleIsActive' | 'roles' | 'inactiveRoles' | 'permissions'
>

function only({ role, roleIsActive }: Stored<AccountRow>) {
  return roleIsActive ? { roles: [role], inactiveRoles: [] } : { roles: [], inactiveRoles: [role] }
}

function joined(row: Stored<AccountRow>, otherRoles: RoleRow[]): Joined {
  const { role: name, rolePriority: priority, roleIsActive: isActive, permissions } = row
  const held = [{ name, priority, isActive, permissions }, ...otherRoles].toSorted(highestFirst)
  const active = held.filter((role) => role.isActive)
  const [highest = { name, priority }] = held
  return {
    role: highest.name,
    rolePriority: highest.priority,
    roleIsActive: active.length > 0,
    roles: namesOf(active),
    inactiveRoles: namesOf(held.filter((role) => !role.isActive)),
    permissions: [...new Set(active.flatMap((role) => role.permissions))].toSorted(),
  }
}

const namesOf = (held: RoleRow[]) => held.map(({ name }) => name)
