import { primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/schema.ts'
import { moment, svcAuth } from '../../pg-schema.ts'

/** Accounts elsewhere that sign in to one of ours. */
export const socialAccounts = svcAuth.table(
  'social_accounts',
  {
    /** Plain text: another provider needs no migration. */
    provider: text().notNull(),
    /** The provider's own id for the account. */
    providerUserId: text('provider_user_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The provider's token from a sign-in in a browser, encrypted. */
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    linkedAt: moment('linked_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  ({ provider, providerUserId, userId }) => [
    primaryKey({ columns: [provider, providerUserId] }),
    // If the provider gave the address to another user, they must not sign in beside the first one.
    unique('social_accounts_one_of_each').on(userId, provider),
  ],
)
