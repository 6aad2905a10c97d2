import type { Db, Tx } from '@svc/core'
import { and, eq, ne, or, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { accountRoles, users } from './schema.ts'

/** A role that an account has. */
export interface HeldRole {
  name: string
  priority: number
  isActive: boolean
}

/** With what it is called. */
export interface ShownRole extends HeldRole {
  displayName: string
}

/** By priority, then by name; inactive ones after all others. */
export function highestFirst(one: HeldRole, other: HeldRole) {
  if (one.isActive !== other.isActive) return one.isActive ? -1 : 1
  return other.priority - one.priority || (one.name < other.name ? -1 : 1)
}

/**
 * The roles of an account in `users`. Tables and columns are written out, because Drizzle leaves
 * out a column's table in a statement on one table.
 */
export const rolesOfUser = sql<ShownRole[]>`(
  select json_agg(json_build_object(
    'name', name, 'priority', priority, 'isActive', is_active, 'displayName', display_name))
  from svc_auth.roles where name = any(svc_auth.users.role || array(
    select role from svc_auth.account_roles other where other.user_id = svc_auth.users.user_id)))`

/** Their names, the highest first. */
export function namesOf(held: HeldRole[]) {
  // Each account has at least one.
  return held.toSorted(highestFirst).map(({ name }) => name) as [string, ...string[]]
}

/**
 * The roles of an account that this transaction has locked, so that no other one can add one
 * meanwhile.
 */
export async function heldRoles(tx: Tx, { userId }: LockedAccount): Promise<HeldRole[]> {
  const [account] = await tx
    .select({ held: rolesOfUser })
    .from(users)
    .where(eq(users.userId, userId))
  return account?.held ?? []
}

const isBeside = (role: string) =>
  sql`exists (select from ${accountRoles}
    where ${accountRoles.userId} = ${users.userId} and ${accountRoles.role} = ${role})`

/** Whether an account in `users` has the role. */
const has = (role: string) => or(eq(users.role, role), isBeside(role))

/** How many accounts have the role, in every state. */
export async function countHolders(db: Db, role: string) {
  const own = await db.$count(users, eq(users.role, role))
  return own + (await db.$count(accountRoles, eq(accountRoles.role, role)))
}

const isActive = (role: string) => and(has(role), eq(users.status, 'active'))

/** Whether the account has the role now, and may use it. */
export async function isActiveHolder(db: Db, userId: string, role: string) {
  return (await db.$count(users, and(isActive(role), eq(users.userId, userId)))) > 0
}

/** Whether any account has the role now and may use it. */
export function hasActiveHolder(db: Db, role: string) {
  return hasOtherActiveHolder(db, null, role)
}

/**
 * Whether any account but this one has the role now and may use it. Each of the two tables has an
 * index of its half.
 */
export async function hasOtherActiveHolder(db: Db, userId: string | null, role: string) {
  const isOther = and(
    eq(users.status, 'active'),
    userId === null ? undefined : ne(users.userId, userId),
  )
  const first = db
    .select({ userId: users.userId })
    .from(users)
    .where(and(eq(users.role, role), isOther))
  const others = db
    .select({ userId: users.userId })
    .from(accountRoles)
    .innerJoin(users, eq(users.userId, accountRoles.userId))
    .where(and(eq(accountRoles.role, role), isOther))
  const [found] = await first.unionAll(others).limit(1)
  return found !== undefined
}

/**
 * Makes these all the roles of an account that this transaction has locked; the first is the
 * highest. It locks the roles too.
 */
export async function setRoles(
  tx: Tx,
  { userId }: LockedAccount,
  [highest, ...others]: readonly [string, ...string[]],
) {
  // A trigger deletes the other roles when this one is set, because the previous release does not
  // know them.
  await tx
    .update(users)
    .set({ role: highest })
    .where(and(eq(users.userId, userId), ne(users.role, highest)))
  await tx.delete(accountRoles).where(eq(accountRoles.userId, userId))
  if (others.length === 0) return
  await tx.execute(sql`
    insert into svc_auth.account_roles (user_id, role, created_at)
    select user_id, other, created_at from svc_auth.users, unnest(${sql.param(others)}::text[]) as other
    where user_id = ${userId}`)
}
