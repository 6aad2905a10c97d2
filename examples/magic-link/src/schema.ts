import { index, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const schema = pgSchema('magic_link')

/** When an account signed in by a link. */
export const signIns = schema.table(
  'sign_ins',
  {
    signInId: uuid('sign_in_id').primaryKey(),
    userId: uuid('user_id').notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    address: text(),
  },
  ({ userId, at }) => [index('sign_ins_of_user').on(userId), index('sign_ins_by_time').on(at)],
)
