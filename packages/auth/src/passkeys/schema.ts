import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

export const passkeys = svcAuth.table(
  'passkeys',
  {
    passkeyId: uuid('passkey_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The authenticator's id for it, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /**
     * How often it has signed. One that is synced between devices does not count, and reports zero.
     */
    counter: bigint({ mode: 'number' }).notNull(),
    deviceType: text('device_type').$type<'singleDevice' | 'multiDevice'>().notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    /** The model of its authenticator. */
    aaguid: text().notNull(),
    label: text(),
    /** Whether it counts as the second factor. */
    secondFactor: boolean('second_factor').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  ({ userId }) => [index('passkeys_of_user').on(userId)],
)

/** What a challenge was made for: it is valid for nothing else. */
export type ChallengeKind =
  | 'register'
  | 'login'
  | 'mfa verify'
  | 'mfa step-up'
  | 'binding disable'
  | 'renew'
  | 'recent'

/** What an authenticator is asked to sign. A challenge is deleted when it is spent. */
export const passkeyChallenges = svcAuth.table(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    kind: text().$type<ChallengeKind>().notNull(),
    /** The user whose passkey must sign. Null for a sign-in, where the user isn't known yet. */
    userId: uuid('user_id').references(() => users.userId, { onDelete: 'cascade' }),
    /** The key that asked, or that waits. */
    keyId: text('key_id'),
    expiresAt: moment('expires_at').notNull(),
  },
  ({ kind, userId, expiresAt }) => [
    index('passkey_challenges_expire').on(expiresAt),
    index('passkey_challenges_of_user').on(userId),
    check('passkey_challenges_user', sql`(${kind} = 'login') = (${userId} is null)`),
  ],
)
