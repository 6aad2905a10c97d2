import { integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** The code with which an account's owner consents to a support session: one at a time. */
export const supportCodes = svcAuth.table('support_codes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.userId, { onDelete: 'cascade' }),
  codeHash: text('code_hash').notNull(),
  tries: integer().notNull().default(0),
  expiresAt: moment('expires_at').notNull(),
})
