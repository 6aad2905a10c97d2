import { boolean, integer, text, uuid } from 'drizzle-orm/pg-core'
import { svcAuth } from '../pg-schema.ts'

/**
 * A role with what it grants. The grants are an array in the role's row, so that reading a caller stays one join and
 * a change of them one guarded statement on one row.
 */
export const roles = svcAuth.table('roles', {
  roleId: uuid('role_id').primaryKey(),
  name: text().notNull().unique(),
  displayName: text('display_name').notNull(),
  description: text(),
  priority: integer().notNull(),
  isBuiltin: boolean('is_builtin').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  permissions: text().array().notNull().default([]),
})

/**
 * What the application's code has declared so far, also of roles that are gone by now: a restart brings in only what is
 * new in the code, and nothing back that an administrator took away.
 */
export const roleDeclarations = svcAuth.table('role_declarations', {
  name: text().primaryKey(),
  permissions: text().array().notNull().default([]),
})

/** Only the code declares these, and they stay: a role may name one as long as it likes. */
export const permissions = svcAuth.table('permissions', {
  name: text().primaryKey(),
  displayName: text('display_name').notNull(),
  category: text().notNull(),
  isBuiltin: boolean('is_builtin').notNull().default(false),
})
