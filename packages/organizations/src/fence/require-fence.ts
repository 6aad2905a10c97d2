import type { Db } from '@svc/core'
import { EnvironmentError } from '@svc/core/env'
import { sql } from 'drizzle-orm'
import { acrossRole } from './across-organizations.ts'

/** PostgreSQL's `pg_class` for tables with the policy, and what this role may do past it. */
const looking = sql`
  with tenant as (
    select c.oid::regclass::text as name,
      c.relrowsecurity and (c.relforcerowsecurity or not pg_has_role(c.relowner, 'usage')) as "isBound"
    from pg_class c join pg_policy p on p.polrelid = c.oid
    where p.polname = 'in_organization'
  )
  select r.rolname as role, r.rolsuper as "isSuperuser", r.rolbypassrls as bypasses,
    (select coalesce(bool_or(pg_has_role(a.oid, 'usage')), false)
      from pg_roles a where a.rolname = ${acrossRole}) as "isAcross",
    (select coalesce(array_agg(name order by name), '{}') from tenant) as tables,
    (select coalesce(array_agg(name order by name), '{}') from tenant where not "isBound") as unbound
  from pg_roles r where r.rolname = current_user`

interface Seen extends Record<string, unknown> {
  role: string
  isSuperuser: boolean
  bypasses: boolean
  isAcross: boolean
  tables: string[]
  unbound: string[]
}

/**
 * Refuses to start if row level security doesn't bind the server's role: then every organization
 * would see every row.
 */
export async function requireFence(db: Db) {
  const { rows } = await db.execute<Seen>(looking)
  const [seen] = rows
  if (!seen || seen.tables.length === 0) return
  const reason = wayPast(seen)
  if (reason) throw new EnvironmentError([explained(seen, reason)])
  if (seen.unbound.length > 0) {
    throw new EnvironmentError([
      `${seen.unbound.join(', ')}: row level security is off, or does not bind "${seen.role}", which owns the table. Apply a migration with ALTER TABLE … ENABLE ROW LEVEL SECURITY and ALTER TABLE … FORCE ROW LEVEL SECURITY`,
    ])
  }
}

function wayPast({ isSuperuser, bypasses, isAcross }: Seen) {
  if (isSuperuser) return 'is a superuser'
  if (bypasses) return 'has BYPASSRLS'
  return isAcross ? `inherits from ${acrossRole}` : null
}

function explained({ role, tables }: Seen, reason: string) {
  return `DATABASE_URL connects as "${role}", which ${reason}: row level security does not bind it, and ${tables.join(', ')} would be open to every organization. Create a role without these rights, and connect as it. Set DATABASE_URL_DIRECT to the address with "${role}", and run "npx @svc/cli migrate", which grants the new role what it needs`
}
