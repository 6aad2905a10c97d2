import type { Db } from '@svc/core'
import { asc, desc, eq } from 'drizzle-orm'
import { domains, imported, invitations, members, organizations, removedMembers } from './schema.ts'
import { teamsOf } from './teams/teams.ts'

interface Account {
  readonly userId: string
}

/** What is stored of an account, for its export. */
export const exported = {
  organizations: exportMemberships,
  organizationInvitations: exportInvitations,
  organizationDomains: exportDomains,
  organizationRemovals: exportRemovals,
  organizationImports: exportImports,
}

// Columns are named one by one: a secret that a table gets later is not exported by itself.

/** Of each list, the newest. */
const mostExported = 1000
const { organizationId: id, name, slug } = organizations

async function exportMemberships(db: Db, { userId }: Account) {
  const { organizationId, roles, joinedAt } = members
  const rows = await db
    .select({ organizationId, name, slug, state: organizations.state, roles, joinedAt })
    .from(members)
    .innerJoin(organizations, eq(id, organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(name), asc(id))
  const teams = await teamsOf(db, userId)
  return rows.map(({ organizationId: of, ...row }) => ({
    ...row,
    teams: teams
      .filter((team) => team.organizationId === of)
      .map((team) => ({ name: team.name, roles: team.roles })),
  }))
}

async function exportInvitations(db: Db, { userId }: Account) {
  const { email, roles, state, createdAt, endedAt, organizationId } = invitations
  const read = (as: 'invitedBy' | 'acceptedBy') =>
    db
      .select({ organization: name, email, roles, state, createdAt, endedAt })
      .from(invitations)
      .innerJoin(organizations, eq(id, organizationId))
      .where(eq(invitations[as], userId))
      .orderBy(desc(createdAt))
      .limit(mostExported)
  return { sent: await read('invitedBy'), accepted: await read('acceptedBy') }
}

function exportDomains(db: Db, { userId }: Account) {
  const { domain, addedAt, organizationId } = domains
  return db
    .select({ organization: name, domain, addedAt })
    .from(domains)
    .innerJoin(organizations, eq(id, organizationId))
    .where(eq(domains.addedBy, userId))
    .orderBy(desc(addedAt))
    .limit(mostExported)
}

function exportRemovals(db: Db, { userId }: Account) {
  const { removedAt, organizationId } = removedMembers
  return db
    .select({ organization: name, removedAt })
    .from(removedMembers)
    .innerJoin(organizations, eq(id, organizationId))
    .where(eq(removedMembers.userId, userId))
    .orderBy(desc(removedAt))
    .limit(mostExported)
}

function exportImports(db: Db, { userId }: Account) {
  const { thing, organizationId } = imported
  return db
    .select({ organization: name, thing })
    .from(imported)
    .innerJoin(organizations, eq(id, organizationId))
    .where(eq(imported.userId, userId))
    .orderBy(asc(name), asc(thing))
    .limit(mostExported)
}
