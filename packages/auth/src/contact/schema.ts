import { sql } from 'drizzle-orm'
import { check, index, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

type ContactChangeState = 'done' | 'undone' | 'superseded'

/** A change of address or number. The old one can take it back until it expires. */
export const contactChanges = svcAuth.table(
  'contact_changes',
  {
    changeId: uuid('change_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    kind: text().$type<'email' | 'phone'>().notNull(),
    state: text().$type<ContactChangeState>().notNull(),
    oldValue: text('old_value').notNull(),
    newValue: text('new_value').notNull(),
    /** When the old one had been proved; undoing the change restores it. */
    oldVerifiedAt: moment('old_verified_at'),
    /** Null until the notice is sent: the job that sends it makes the token. */
    undoHash: text('undo_hash').unique(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
  },
  ({ userId, kind, state, expiresAt }) => [
    index('contact_changes_of_user').on(userId),
    index('contact_changes_by_expiry').on(expiresAt),
    check('contact_changes_kind', sql`${kind} in ('email', 'phone')`),
    check('contact_changes_state', sql`${state} in ('done', 'undone', 'superseded')`),
  ],
)
