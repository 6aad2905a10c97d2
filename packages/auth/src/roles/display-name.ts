import type { Db } from '@svc/core'
import { eq } from 'drizzle-orm'
import { roles } from '../accounts/role-schema.ts'

export async function displayNameOf(db: Db, name: string) {
  const [role] = await db
    .select({ displayName: roles.displayName })
    .from(roles)
    .where(eq(roles.name, name))
  return role?.displayName ?? name
}
