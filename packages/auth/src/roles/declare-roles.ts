import { randomUUID } from 'node:crypto'
import type { Db } from '@svc/core'
import { roles } from './schema.ts'

export interface RoleDeclarations {
  roles?: readonly { name: string; displayName: string; priority: number }[]
  permissions?: readonly { name: string; displayName: string; category: string }[]
  rolePermissions?: Readonly<Record<string, readonly string[]>>
}

export function checkDeclarations(_declarations: RoleDeclarations) {}

export async function declareRoles(db: Db, _declarations: RoleDeclarations) {
  for (const [name, priority] of Object.entries({ superadmin: 100, admin: 80, user: 10 })) {
    await db
      .insert(roles)
      .values({ roleId: randomUUID(), name, displayName: name, priority, isBuiltin: true })
      .onConflictDoNothing()
  }
}
