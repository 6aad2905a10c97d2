import { sql } from 'drizzle-orm'
import { check, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** `void` is not to be done any more: what it was asked for has changed meanwhile. */
type FactorRemovalState = 'waiting' | 'stopped' | 'done' | 'void'

/** A second factor or a passkey that an operator wants to remove. Its owner can keep it until then. */
export const factorRemovals = svcAuth.table(
  'factor_removals',
  {
    removalId: uuid('removal_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** Every second factor unless set. */
    passkeyId: uuid('passkey_id'),
    /** Since when the account had its second factor: another one is not meant. */
    factorSince: moment('factor_since'),
    state: text().$type<FactorRemovalState>().notNull(),
    /** Null where an application's code has asked. */
    askedBy: uuid('asked_by').references(() => users.userId, { onDelete: 'set null' }),
    /** None until it is mailed: the job that mails it mints the token. */
    stopHash: text('stop_hash').unique(),
    /** When the mail with that token was handed over. None is due without it. */
    mailedAt: moment('mailed_at'),
    createdAt: moment('created_at').notNull(),
    dueAt: moment('due_at').notNull(),
    endedAt: moment('ended_at'),
  },
  ({ userId, askedBy, state, dueAt }) => [
    uniqueIndex('factor_removals_waiting').on(userId).where(sql`${state} = 'waiting'`),
    index('factor_removals_of_user').on(userId),
    index('factor_removals_asked_by').on(askedBy),
    index('factor_removals_by_time').on(dueAt),
    check('factor_removals_state', sql`${state} in ('waiting', 'stopped', 'done', 'void')`),
  ],
)
