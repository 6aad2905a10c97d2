import { bigint, index, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** The authenticator app of an account, which has at most one. */
export const totpSecrets = svcAuth.table('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.userId, { onDelete: 'cascade' }),
  /** Encrypted, and bound to its user. */
  secret: text().notNull(),
  /** The step of the last accepted code: no code of it or of an earlier step is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: moment('created_at').notNull(),
  /** Null until its first code was given: until then it is no second factor. */
  confirmedAt: moment('confirmed_at'),
})

export const recoveryCodes = svcAuth.table(
  'recovery_codes',
  {
    hash: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The key of the keyring under which it was hashed. */
    ringKeyId: text('ring_key_id').notNull(),
    usedAt: moment('used_at'),
  },
  ({ userId }) => [index('recovery_codes_of_user').on(userId)],
)
