import { sql } from 'drizzle-orm'
import { check, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { roles, users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** A pending invitation past its time has expired: no statement changes its state. */
type InvitationState = 'pending' | 'accepted' | 'cancelled'

export const invitations = svcAuth.table(
  'invitations',
  {
    invitationId: uuid('invitation_id').primaryKey(),
    email: text().notNull(),
    role: text()
      .notNull()
      .references(() => roles.name, { onUpdate: 'cascade', onDelete: 'cascade' }),
    state: text().$type<InvitationState>().notNull(),
    /** Null until it is mailed: the job that mails it makes the token. */
    tokenHash: text('token_hash').unique(),
    invitedBy: uuid('invited_by').references(() => users.userId, { onDelete: 'set null' }),
    locale: text(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    acceptedBy: uuid('accepted_by').references(() => users.userId, { onDelete: 'set null' }),
    endedAt: moment('ended_at'),
  },
  ({ email, state, createdAt }) => [
    uniqueIndex('invitations_pending').on(email).where(sql`${state} = 'pending'`),
    index('invitations_by_age').on(createdAt),
    check('invitations_state', sql`${state} in ('pending', 'accepted', 'cancelled')`),
  ],
)
