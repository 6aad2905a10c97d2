import type { Tx } from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import type { StoredRole } from '../membership/membership.ts'
import { members, roles, serviceAccounts } from '../schema.ts'

/** False if there is one of this name. */
export async function insertRole(
  tx: Tx,
  role: StoredRole & { organizationId: string; createdAt: Date },
) {
  const inserted = await tx
    .insert(roles)
    .values(role)
    .onConflictDoNothing()
    .returning({ name: roles.name })
  return inserted.length === 1
}

export async function updateRole(
  tx: Tx,
  organizationId: string,
  { name, displayName, permissions }: StoredRole,
) {
  await tx
    .update(roles)
    .set({ displayName, permissions })
    .where(and(eq(roles.organizationId, organizationId), eq(roles.name, name)))
}

/** Whether a member has this role and no other. */
export async function isOnlyRole(tx: Tx, organizationId: string, name: string) {
  const only = and(
    eq(members.organizationId, organizationId),
    sql`${members.roles} = array[${name}]`,
  )
  return (await tx.$count(members, only)) > 0
}

/**
 * Deletes a role, and takes it from its members: one without another role is a plain member. A service account without
 * another role has none.
 */
export async function deleteRole(tx: Tx, organizationId: string, name: string) {
  await tx.delete(roles).where(and(eq(roles.organizationId, organizationId), eq(roles.name, name)))
  await tx
    .update(members)
    .set({
      roles: sql`case when ${members.roles} = array[${name}] then array['member'] else array_remove(${members.roles}, ${name}) end`,
    })
    .where(and(eq(members.organizationId, organizationId), sql`${name} = any (${members.roles})`))
  await tx
    .update(serviceAccounts)
    .set({ roles: sql`array_remove(${serviceAccounts.roles}, ${name})` })
    .where(eq(serviceAccounts.organizationId, organizationId))
}
