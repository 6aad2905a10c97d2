import type { Db, Tx } from '@svc/core'
import { asc, desc, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isUuid } from '../pg-schema.ts'
import type { RoleItem } from './contract.ts'
import { permissions, roles } from './schema.ts'

export type Role = typeof roles.$inferSelect
type NewRole = typeof roles.$inferInsert

/** A list of names, as a statement is given it: a plain array would be a list of parameters. */
export function textArray(names: readonly string[]) {
  return sql`${sql.param(names)}::text[]`
}

/** The names that a row holds by then, and others: each once. */
export function namesWith(held: SQLWrapper, others: SQLWrapper) {
  return sql<string[]>`array(select distinct unnest(${held} || ${others}) order by 1)`
}

export function namesWithout(held: SQLWrapper, name: string) {
  return sql<string[]>`array_remove(${held}, ${name})`
}

/** A list of names as it is stored. */
export function sortedNames(names: readonly string[]) {
  return [...new Set(names)].toSorted()
}

export function listAll(db: Db) {
  return db.select().from(roles).orderBy(desc(roles.priority), asc(roles.name))
}

export async function findByName(db: Db, name: string) {
  const [role] = await db.select().from(roles).where(eq(roles.name, name))
  return role ?? null
}

/** `update` is for whoever deletes: it also waits for those who are giving the role to somebody, and holds them up. */
type Strength = 'update' | 'no key update'

/** The role as nobody else changes it until this transaction ends. */
export async function lockById(tx: Tx, roleId: string, strength: Strength) {
  return isUuid(roleId) ? lock(tx, eq(roles.roleId, roleId), strength) : null
}

export function lockByName(tx: Tx, name: string, strength: Strength) {
  return lock(tx, eq(roles.name, name), strength)
}

/** The role as it is not deleted until this transaction ends: to be given to somebody. */
export function holdByName(tx: Tx, name: string) {
  return lock(tx, eq(roles.name, name), 'key share')
}

async function lock(tx: Tx, which: SQL, strength: Strength | 'key share') {
  const [role] = await tx.select().from(roles).where(which).for(strength)
  return role ?? null
}

/** Null when the name is taken. */
export async function insertRole(tx: Tx, role: NewRole) {
  const [inserted] = await tx.insert(roles).values(role).onConflictDoNothing().returning()
  return inserted ?? null
}

type RoleChange = { [Member in keyof NewRole]?: NewRole[Member] | SQL | undefined }

/** Null when there is no such role. */
export async function changeByName(tx: Tx, name: string, change: RoleChange) {
  const [changed] = await tx.update(roles).set(change).where(eq(roles.name, name)).returning()
  return changed ?? null
}

export async function deleteById(tx: Tx, roleId: string) {
  await tx.delete(roles).where(eq(roles.roleId, roleId))
}

export async function areAllDeclared(db: Db, names: readonly string[]) {
  const distinct = sortedNames(names)
  const known = await db.$count(permissions, inArray(permissions.name, distinct))
  return known === distinct.length
}

/** Whether the tables of sign-in are there. */
export async function isMigrated(db: Db) {
  const { rows } = await db.execute(
    sql`select to_regclass('svc_auth.roles') is not null as "isThere"`,
  )
  return rows[0]?.isThere === true
}

export async function hasRoles(db: Db) {
  return (await db.$count(roles)) > 0
}

export function roleItem({ description, ...role }: Role): RoleItem {
  return { ...role, ...(description && { description }) }
}
