import { sql } from 'drizzle-orm'
import { index, pgSchema, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const schema = pgSchema('teams')

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

export const teams = schema.table(
  'teams',
  {
    teamId: uuid('team_id').primaryKey(),
    name: text().notNull(),
    /** Null for a team that the last member has left. The next sweep deletes it. */
    ownerId: uuid('owner_id'),
    createdAt: moment('created_at').notNull(),
  },
  ({ teamId, ownerId }) => [index('teams_without_owner').on(teamId).where(sql`${ownerId} IS NULL`)],
)

export const members = schema.table(
  'members',
  {
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.teamId, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
    joinedAt: moment('joined_at').notNull(),
  },
  ({ teamId, userId }) => [
    primaryKey({ name: 'members_pk', columns: [teamId, userId] }),
    index('members_of_user').on(userId),
  ],
)
