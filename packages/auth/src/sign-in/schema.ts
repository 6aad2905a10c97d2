import { index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** A sign-in that waits for the second factor. Its key is `pending` until then. */
export const signInChallenges = svcAuth.table(
  'sign_in_challenges',
  {
    hash: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** One challenge for each key: a sign-in that is sent again gets another. */
    keyId: text('key_id').notNull().unique(),
    /** The account's generation when the first factor was checked. */
    generation: integer().notNull(),
    /** As `auth.login` and `auth.device.registered` name them. */
    provider: text().notNull(),
    channel: text().notNull(),
    tries: integer().notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  ({ userId, expiresAt }) => [
    index('sign_in_challenges_of_user').on(userId),
    index('sign_in_challenges_expire').on(expiresAt),
  ],
)
