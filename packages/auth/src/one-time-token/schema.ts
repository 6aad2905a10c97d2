import { text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { deviceKeys } from '../keys/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** A token for one handshake, such as a stream's, in place of a signature. It ends with its key. */
export const oneTimeTokens = svcAuth.table('one_time_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.userId, { onDelete: 'cascade' }),
  keyId: text('key_id')
    .notNull()
    .references(() => deviceKeys.keyId),
  expiresAt: moment('expires_at').notNull(),
})
