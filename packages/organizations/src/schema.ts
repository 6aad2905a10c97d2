import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const schema = pgSchema('organizations')

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What an organization asks of its members. Null in a row asks nothing. */
export interface StoredPolicies {
  /** A second factor: of those who were members at `since` from `by` on, and of others at once. */
  readonly secondFactor?: { readonly since: string; readonly by: string }
  /** The ways of which one must have signed the device in. */
  readonly waysIn?: readonly string[]
  readonly maxKeyAgeHours?: number
  readonly maxIdleHours?: number
  readonly allowedDomains?: readonly string[]
}

export const organizations = schema.table(
  'organizations',
  {
    organizationId: uuid('organization_id').primaryKey(),
    name: text().notNull(),
    /** For addresses of pages. It may change, so requests name the id. */
    slug: text().notNull().unique(),
    state: text().$type<'open' | 'closed'>().notNull(),
    createdAt: moment('created_at').notNull(),
    closedAt: moment('closed_at'),
    /** Until then, an owner can open it again. */
    purgeAt: moment('purge_at'),
    /** What it asks of its members. Null, as in most rows, asks nothing. */
    policies: jsonb().$type<StoredPolicies>(),
    /** Then no owner can open it again. */
    isClosedByOperator: boolean('closed_by_operator').notNull().default(false),
    /** The user whose own one it is. */
    personalOf: uuid('personal_of').unique(),
  },
  ({ organizationId, name, slug, state, createdAt, purgeAt }) => [
    check('organizations_state', sql`${state} in ('open', 'closed')`),
    index('organizations_to_purge').on(purgeAt).where(sql`${state} = 'closed'`),
    // In the orders of the operators' pages.
    index('organizations_by_name').on(sql`lower(${name}) collate "C"`, organizationId),
    index('organizations_by_slug').on(sql`${slug} collate "C"`),
    index('organizations_by_age').on(createdAt, organizationId),
    index('organizations_closed').on(createdAt, organizationId).where(sql`${state} = 'closed'`),
  ],
)

const ofOrganization = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.organizationId, { onDelete: 'cascade' })

export const members = schema.table(
  'members',
  {
    organizationId: ofOrganization(),
    userId: uuid('user_id').notNull(),
    /** Built-in roles, and those of the organization. */
    roles: text().array().notNull(),
    joinedAt: moment('joined_at').notNull(),
  },
  ({ organizationId, userId, joinedAt, roles }) => [
    primaryKey({ name: 'members_pk', columns: [organizationId, userId] }),
    index('members_of_user').on(userId),
    index('members_by_age').on(organizationId, joinedAt, userId),
    index('members_owners').on(organizationId).where(sql`'owner' = any (${roles})`),
  ],
)

/** Accounts of programs. They are no members: none is counted, invited, or made the owner. */
export const serviceAccounts = schema.table(
  'service_accounts',
  {
    organizationId: ofOrganization(),
    /** No other organization has it. */
    userId: uuid('user_id').notNull().unique(),
    roles: text().array().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  ({ organizationId, userId }) => [
    primaryKey({ name: 'service_accounts_pk', columns: [organizationId, userId] }),
  ],
)

/** Roles that an organization has made. The built-in ones have no row. */
export const roles = schema.table(
  'roles',
  {
    organizationId: ofOrganization(),
    name: text().notNull(),
    displayName: text('display_name').notNull(),
    permissions: text().array().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  ({ organizationId, name }) => [primaryKey({ name: 'roles_pk', columns: [organizationId, name] })],
)

/** A pending invitation past its time has expired: no statement changes its state. */
type InvitationState = 'pending' | 'accepted' | 'cancelled'

export const invitations = schema.table(
  'invitations',
  {
    invitationId: uuid('invitation_id').primaryKey(),
    organizationId: ofOrganization(),
    email: text().notNull(),
    roles: text().array().notNull(),
    state: text().$type<InvitationState>().notNull(),
    /** Null until it is mailed: the job that mails it makes the token. */
    tokenHash: text('token_hash').unique(),
    invitedBy: uuid('invited_by'),
    acceptedBy: uuid('accepted_by'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
  },
  ({ organizationId, email, state, createdAt, invitedBy, acceptedBy }) => [
    uniqueIndex('invitations_pending').on(organizationId, email).where(sql`${state} = 'pending'`),
    index('invitations_by_age').on(organizationId, createdAt),
    index('invitations_of_email').on(email),
    index('invitations_of_inviter').on(invitedBy),
    index('invitations_of_member').on(acceptedBy),
    check('invitations_state', sql`${state} in ('pending', 'accepted', 'cancelled')`),
  ],
)

/** Domains whose people may join, once the organization has proved that the domain is its own. */
export const domains = schema.table(
  'domains',
  {
    organizationId: ofOrganization(),
    /** In lower case and punycode, as in a stored address. */
    domain: text().notNull(),
    /** What the record of the domain has to say. It is shown again, because it is public in the end. */
    challenge: text().notNull(),
    /** What those who join by it get. */
    roles: text().array().notNull(),
    addedBy: uuid('added_by'),
    addedAt: moment('added_at').notNull(),
    /** Null if it is not proved, or not any more. */
    verifiedAt: moment('verified_at'),
    lastCheckedAt: moment('last_checked_at'),
    /** Since then no check has found the record. */
    failingSince: moment('failing_since'),
  },
  ({ organizationId, domain, roles: given, addedBy, verifiedAt, lastCheckedAt }) => [
    primaryKey({ name: 'domains_pk', columns: [organizationId, domain] }),
    uniqueIndex('domains_proved').on(domain).where(sql`${verifiedAt} is not null`),
    index('domains_to_check').on(lastCheckedAt).where(sql`${verifiedAt} is not null`),
    index('domains_of_member').on(addedBy).where(sql`${addedBy} is not null`),
    check('domains_own_nothing', sql`not 'owner' = any (${given})`),
  ],
)

/** Who was removed by another member. They come back only if a member invites them. */
export const removedMembers = schema.table(
  'removed_members',
  {
    organizationId: ofOrganization(),
    userId: uuid('user_id').notNull(),
    removedAt: moment('removed_at').notNull(),
  },
  ({ organizationId, userId }) => [
    primaryKey({ name: 'removed_members_pk', columns: [organizationId, userId] }),
    index('removed_members_of_user').on(userId),
  ],
)

/** Members who work together. The roles of a team count for each of them in the whole organization. */
export const teams = schema.table(
  'teams',
  {
    organizationId: ofOrganization(),
    teamId: uuid('team_id').notNull(),
    name: text().notNull(),
    roles: text().array().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  ({ organizationId, teamId, roles: held }) => [
    primaryKey({ name: 'teams_pk', columns: [organizationId, teamId] }),
    check('teams_own_nothing', sql`not 'owner' = any (${held})`),
  ],
)

/** The foreign keys carry the organization. A row goes with the team, and with the membership. */
export const teamMembers = schema.table(
  'team_members',
  {
    organizationId: uuid('organization_id').notNull(),
    teamId: uuid('team_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** What the member has besides, for routes of this team alone. */
    roles: text().array().notNull(),
    joinedAt: moment('joined_at').notNull(),
  },
  ({ organizationId, teamId, userId, joinedAt, roles: held }) => [
    primaryKey({ name: 'team_members_pk', columns: [organizationId, teamId, userId] }),
    foreignKey({
      name: 'team_members_team',
      columns: [organizationId, teamId],
      foreignColumns: [teams.organizationId, teams.teamId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'team_members_member',
      columns: [organizationId, userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
    index('team_members_of_member').on(organizationId, userId),
    index('team_members_by_age').on(organizationId, teamId, joinedAt, userId),
    check('team_members_own_nothing', sql`not 'owner' = any (${held})`),
  ],
)

/** What an import has found in an export, so that the next run doesn't bring back what was removed since. */
export const imported = schema.table(
  'imported',
  {
    organizationId: ofOrganization(),
    /** Such as `member <id>`, or `from clerk`. */
    thing: text().notNull(),
    userId: uuid('user_id'),
  },
  ({ organizationId, thing, userId }) => [
    primaryKey({ name: 'imported_pk', columns: [organizationId, thing] }),
    index('imported_of_user').on(userId).where(sql`${userId} is not null`),
  ],
)
