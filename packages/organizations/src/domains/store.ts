import type { Db, Tx } from '@svc/core'
import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lte,
  notExists,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { builtInRoles } from '../membership/membership.ts'
import { domains, members, organizations, removedMembers } from '../schema.ts'

export interface DomainKey {
  readonly organizationId: string
  readonly domain: string
}

export type StoredDomain = typeof domains.$inferSelect

const is = ({ organizationId, domain }: DomainKey) =>
  and(eq(domains.organizationId, organizationId), eq(domains.domain, domain))
const isProved = isNotNull(domains.verifiedAt)

/**
 * The roles that a domain gives. A name that is no role any more gives nothing: an instance of a release without domains
 * deletes a role and leaves its name here. A domain without another role makes plain members.
 */
const given = sql<string[]>`(select coalesce(array_agg(n.name order by n.at), '{member}')
  from unnest(organizations.domains.roles) with ordinality n (name, at)
  where n.name = any (${sql.param([...builtInRoles])}::text[]) or exists (select from organizations.roles r
    where r.organization_id = organizations.domains.organization_id and r.name = n.name))`

const columns = { ...getTableColumns(domains), roles: given }

const dayMillis = 86_400_000
/**
 * A proof ends when no check has found its record for so long. Servers that do not answer count in it as a missing
 * record does: otherwise the proof of a domain without name servers would never end.
 */
export const windowMillis = 3 * dayMillis

export function domainsOf(db: Db, organizationId: string) {
  return db
    .select(columns)
    .from(domains)
    .where(eq(domains.organizationId, organizationId))
    .orderBy(asc(domains.domain))
}

export async function find(db: Db, key: DomainKey) {
  const [found] = await db.select(columns).from(domains).where(is(key))
  return found ?? null
}

type NewDomain = Pick<
  StoredDomain,
  'organizationId' | 'domain' | 'challenge' | 'roles' | 'addedBy' | 'addedAt'
>

/** Null if the organization has it. */
export async function insert(tx: Tx, domain: NewDomain) {
  const [inserted] = await tx.insert(domains).values(domain).onConflictDoNothing().returning()
  return inserted ?? null
}

export async function remove(tx: Tx, key: DomainKey) {
  const [removed] = await tx.delete(domains).where(is(key)).returning(columns)
  return removed ?? null
}

interface Found extends DomainKey {
  /** What the record said. Another one may have taken its place since the look-up. */
  readonly challenge: string
  readonly at: Date
}

const asLookedUp = ({ challenge, ...key }: Found) => and(is(key), eq(domains.challenge, challenge))

/** So that of several organizations that prove a domain at the same time, the later ones see the first one's proof. */
export async function lockDomain(tx: Tx, domain: string) {
  await tx
    .select({ organizationId: domains.organizationId })
    .from(domains)
    .where(eq(domains.domain, domain))
    .orderBy(asc(domains.organizationId))
    .for('update')
}

const rival = alias(domains, 'rival')

/** unproved → proved. Null if another organization has proved it, or if it was removed. */
export async function prove(tx: Tx, found: Found) {
  const { organizationId, domain, at } = found
  const rivals = tx
    .select({ one: sql`1` })
    .from(rival)
    .where(
      and(
        eq(rival.domain, domain),
        sql`${rival.organizationId} <> ${organizationId}`,
        isNotNull(rival.verifiedAt),
      ),
    )
  const [proved] = await tx
    .update(domains)
    .set({ verifiedAt: at, lastCheckedAt: at, failingSince: null })
    .where(and(asLookedUp(found), isNull(domains.verifiedAt), notExists(rivals)))
    .returning(columns)
  return proved ?? null
}

/** The record of a proved domain is there. Null if it is not proved. */
export async function keep(db: Db, found: Found) {
  const [kept] = await db
    .update(domains)
    .set({ lastCheckedAt: found.at, failingSince: null })
    .where(and(asLookedUp(found), isProved))
    .returning(columns)
  return kept ?? null
}

/** The record of a proved domain is not there. */
export async function noteMissed(db: Db, missed: Found) {
  const at = missed.at.toISOString()
  await db
    .update(domains)
    .set({
      lastCheckedAt: missed.at,
      failingSince: sql`coalesce(${domains.failingSince}, ${at}::timestamptz)`,
    })
    .where(and(asLookedUp(missed), isProved))
}

/** proved → unproved, if it has been failing since then. False if it was not: only a proved one is marked so. */
export async function end(tx: Tx, missed: Found, since: Date) {
  const ended = await tx
    .update(domains)
    .set({ verifiedAt: null, failingSince: null, lastCheckedAt: missed.at })
    .where(and(asLookedUp(missed), lte(domains.failingSince, since)))
    .returning({ domain: domains.domain })
  return ended.length === 1
}

/** Proved domains that were last looked up then or before, also of closed organizations. */
export function due(db: Db, before: Date, limit: number) {
  return db
    .select()
    .from(domains)
    .where(and(isProved, lte(domains.lastCheckedAt, before)))
    .orderBy(asc(domains.lastCheckedAt), asc(domains.domain))
    .limit(limit)
}

export interface Joining extends DomainKey {
  readonly userId: string
  readonly at: Date
}

const mayJoin = (db: Db, { domain, userId, at }: Omit<Joining, 'organizationId'>) => {
  const ofPerson = (table: typeof members | typeof removedMembers) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.organizationId, organizations.organizationId), eq(table.userId, userId)))
  return and(
    eq(domains.domain, domain),
    isProved,
    // The job that ends a proof may be late.
    or(
      isNull(domains.failingSince),
      gt(domains.failingSince, new Date(at.getTime() - windowMillis)),
    ),
    eq(organizations.state, 'open'),
    notExists(ofPerson(members)),
    notExists(ofPerson(removedMembers)),
  )
}

const ofDomain = eq(organizations.organizationId, domains.organizationId)

/** A new member, with the roles of the domain. Null if it is not proved, or if the user was removed. */
export async function insertJoining(tx: Tx, joining: Joining) {
  const { organizationId, userId, at } = joining
  const [joined] = await tx
    .insert(members)
    .select(
      tx
        .select({
          organizationId: domains.organizationId,
          userId: sql`${userId}::uuid`.as('user_id'),
          roles: given.as('roles'),
          joinedAt: sql`${at.toISOString()}::timestamptz`.as('joined_at'),
        })
        .from(domains)
        .innerJoin(organizations, ofDomain)
        .where(and(eq(domains.organizationId, organizationId), mayJoin(tx, joining))),
    )
    .onConflictDoNothing()
    .returning({ roles: members.roles })
  return joined ?? null
}

/** The organizations that a user with an address at the domain may join, but for their policies: one at most. */
export function joinable(db: Db, joining: Omit<Joining, 'organizationId'>) {
  const { organizationId, name, policies } = organizations
  return db
    .select({ organizationId, name, policies })
    .from(domains)
    .innerJoin(organizations, ofDomain)
    .where(mayJoin(db, joining))
    .orderBy(asc(name), asc(organizationId))
}

/** The roles that its domains give, proved or not. */
export async function rolesOfDomains(tx: Tx, organizationId: string) {
  const rows = await domainsOf(tx, organizationId)
  return [...new Set(rows.flatMap(({ roles }) => roles))]
}

/** Whether those who join by a domain get this role and no other. */
export async function isOnlyRoleOfDomain(tx: Tx, organizationId: string, role: string) {
  const only = and(eq(domains.organizationId, organizationId), sql`${given} = array[${role}]`)
  return (await tx.$count(domains, only)) > 0
}

/** Takes the names that are no roles any more from the domains, so that a later role of such a name isn't given. */
export async function takeFromDomains(tx: Tx, organizationId: string) {
  await tx
    .update(domains)
    .set({ roles: given })
    .where(and(eq(domains.organizationId, organizationId), sql`${domains.roles} <> ${given}`))
}

/** For an account that is purged: the domains stay, and no longer name it. */
export async function forgetDomainsOf(tx: Tx, userId: string) {
  await tx.update(domains).set({ addedBy: null }).where(eq(domains.addedBy, userId))
}
