import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import {
  permissions as permissionTable,
  roleDeclarations,
  roles as roleTable,
} from '../accounts/role-schema.ts'
import type { PermissionDeclaration } from '../capability/capability.ts'
import { builtinGrants, builtinPermissions, builtinRoles, superadmin } from './builtin-roles.ts'
import type { RoleDeclaration, RoleDeclarations } from './check-declarations.ts'
import { namesWith } from './store.ts'

/**
 * Brings the built-in roles and permissions and those of the code into the database. The code proposes once: a role
 * that an administrator has changed since, or deleted, stays as it is, and only what is new in the code is granted.
 */
export async function declareRoles(db: Db, declarations: RoleDeclarations) {
  const { roles = [], permissions = [], rolePermissions = {} } = declarations
  const grants = [...Object.entries(builtinGrants), ...Object.entries(rolePermissions)]
  await db.transaction(async (tx) => {
    // Instances that start together queue here.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('svc_auth.roles', 0))`)
    await writePermissions(tx, builtinPermissions, true)
    await writePermissions(tx, permissions, false)
    // First come, first declared: the code may have its own words for a built-in role.
    for (const role of [...roles, ...builtinRoles]) await declareRole(tx, role)
    for (const [name, granted] of grants) await declareGrants(tx, name, granted)
    await grantEverything(tx)
  })
}

/** Their words are the code's alone, so the latest count. */
async function writePermissions(
  tx: Tx,
  declared: readonly PermissionDeclaration[],
  isBuiltin: boolean,
) {
  if (declared.length === 0) return
  await tx
    .insert(permissionTable)
    .values(
      declared.map(({ name, displayName, category }) => ({
        name,
        displayName,
        category,
        isBuiltin,
      })),
    )
    .onConflictDoUpdate({
      target: permissionTable.name,
      set: { displayName: sql`excluded.display_name`, category: sql`excluded.category` },
    })
}

async function declareRole(tx: Tx, { name, displayName, priority }: RoleDeclaration) {
  const isNew = await tx
    .insert(roleDeclarations)
    .values({ name })
    .onConflictDoNothing()
    .returning({ name: roleDeclarations.name })
  if (isNew.length === 0) return
  const isBuiltin = builtinRoles.some((role) => role.name === name)
  await tx
    .insert(roleTable)
    .values({ roleId: randomUUID(), name, displayName, priority, isBuiltin })
    .onConflictDoNothing()
}

async function declareGrants(tx: Tx, name: string, granted: readonly string[]) {
  const listed = sql`${sql.param(granted)}::text[]`
  const fresh = sql`array(
    select unnest(${listed}) except select unnest(${roleDeclarations.permissions})
    from ${roleDeclarations} where ${roleDeclarations.name} = ${name})`
  await tx
    .update(roleTable)
    .set({ permissions: namesWith(roleTable.permissions, fresh) })
    .where(eq(roleTable.name, name))
  await tx
    .update(roleDeclarations)
    .set({ permissions: namesWith(roleDeclarations.permissions, listed) })
    .where(eq(roleDeclarations.name, name))
}

async function grantEverything(tx: Tx) {
  await tx
    .update(roleTable)
    .set({ permissions: sql`array(select name from ${permissionTable} order by name)` })
    .where(eq(roleTable.name, superadmin))
}
