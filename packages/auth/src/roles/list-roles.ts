import { type Needs, runningAuth } from '../auth.ts'
import type { RoleItem } from './contract.ts'
import { roleItem } from './role-item.ts'
import { findByName, listAll } from './store.ts'

export async function listRoles({ db }: Needs<'db'>) {
  const roles = await listAll(db)
  return { roles: roles.map(roleItem) }
}

/** Every role, the highest priority first. */
export async function getAllRoles(): Promise<RoleItem[]> {
  const { roles } = await listRoles(runningAuth())
  return roles
}

export async function getRoleByName(name: string): Promise<RoleItem | null> {
  const role = await findByName(runningAuth().db, name)
  return role && roleItem(role)
}
