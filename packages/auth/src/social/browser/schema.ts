import { boolean, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/schema.ts'
import type { KeyAlgorithm } from '../../crypto/contract.ts'
import { moment, svcAuth } from '../../pg-schema.ts'

/** A user who has come back from a provider, until `finalize` registers the device's key. */
export const oauthPending = svcAuth.table(
  'oauth_pending',
  {
    /**
     * Of what finds it: the id of the key that was sent ahead, or the secret in the browser's
     * cookie.
     */
    hash: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The account's generation at the callback. */
    generation: integer().notNull(),
    provider: text().notNull(),
    /** The account was opened at the callback. */
    isNewUser: boolean('is_new_user').notNull(),
    /** The key that was sent ahead, which must sign. Null if the browser went without one. */
    publicKey: text('public_key'),
    keyId: text('key_id'),
    fingerprint: text(),
    algorithm: text().$type<KeyAlgorithm>(),
    deviceName: text('device_name'),
    platform: text().$type<'ios' | 'android' | 'web' | 'desktop'>(),
    returnUrl: text('return_url').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  ({ userId, expiresAt }) => [
    index('oauth_pending_of_user').on(userId),
    index('oauth_pending_expire').on(expiresAt),
  ],
)
