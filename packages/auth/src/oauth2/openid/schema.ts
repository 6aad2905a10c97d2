import { sql } from 'drizzle-orm'
import { check, index, integer, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/schema.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { moment, svcAuth } from '../../pg-schema.ts'

/** `offered` has a code that its client has not redeemed; `active` has a token; `ended` has neither. */
type SignInState = 'offered' | 'active' | 'ended'

/**
 * A sign-in at another application. It is no grant: its token reads who the user is, and no other statement knows it.
 */
export const openidSignIns = svcAuth.table(
  'openid_sign_ins',
  {
    signInId: uuid('sign_in_id').primaryKey().defaultRandom(),
    state: text().$type<SignInState>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The account's generation: every sign-out everywhere ends this too. */
    generation: integer().notNull(),
    /** The device that the user is signed in on. Once it is signed out, the token is void. */
    keyId: text('key_id').notNull(),
    /** A client of the configuration. */
    clientId: text('client_id').notNull(),
    scopes: text().array().notNull(),
    redirectUri: text('redirect_uri').notNull(),
    codeHash: text('code_hash').$type<TokenHash>().notNull().unique(),
    /** Null for a client with a secret that sends a nonce instead. */
    codeChallenge: text('code_challenge'),
    nonce: text(),
    /** When the user has last proved who they are on that device. */
    authenticatedAt: moment('authenticated_at').notNull(),
    /** The key that the token is bound to (RFC 9449); before, the one that may redeem the code. */
    keyThumbprint: text('key_thumbprint'),
    tokenHash: text('token_hash').$type<TokenHash>().unique(),
    createdAt: moment('created_at').notNull(),
    /** When the code was redeemed. */
    startedAt: moment('started_at'),
    /** The end of the code, and then of the token. */
    expiresAt: moment('expires_at').notNull(),
  },
  ({ userId, expiresAt, state, tokenHash }) => [
    index('openid_sign_ins_of_user').on(userId),
    index('openid_sign_ins_expire').on(expiresAt),
    check('openid_sign_ins_state', sql`${state} in ('offered', 'active', 'ended')`),
    check('openid_sign_ins_token', sql`(${state} = 'active') = (${tokenHash} is not null)`),
  ],
)

/**
 * The session of a device at an application that wants to be told of its end. Rotations of the key don't end it, and
 * another sign-in of the device at the application continues it.
 */
export const openidSessions = svcAuth.table(
  'openid_sessions',
  {
    sid: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    keyId: text('key_id').notNull(),
    clientId: text('client_id').notNull(),
    /** When the user has last signed in at the application. */
    signedInAt: moment('signed_in_at').notNull(),
  },
  ({ userId, keyId, clientId, signedInAt }) => [
    unique('openid_sessions_of_key').on(keyId, clientId),
    index('openid_sessions_of_user').on(userId),
    index('openid_sessions_expire').on(signedInAt),
  ],
)
