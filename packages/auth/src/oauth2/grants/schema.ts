import { isNotNull, sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/schema.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { deviceKeys } from '../../keys/schema.ts'
import { moment, svcAuth } from '../../pg-schema.ts'
import { oauth2Clients } from '../clients/schema.ts'

/** `offered` has a code that its client has not redeemed; `active` has tokens. */
type GrantState = 'offered' | 'active' | 'revoked'

/**
 * What an account has allowed a client to do in its name. Each code and each token belongs to one
 * grant and ends with it.
 */
export const oauth2Grants = svcAuth.table(
  'oauth2_grants',
  {
    grantId: uuid('grant_id').primaryKey().defaultRandom(),
    state: text().$type<GrantState>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /**
     * The tenant that the account belongs to, if the grant is not a person's. The grant is void wherever the account has
     * no standing there.
     */
    tenant: text(),
    /** The account's generation at the consent: every sign-out everywhere ends this too. */
    generation: integer().notNull(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauth2Clients.clientId, { onDelete: 'cascade' }),
    scopes: text().array().notNull(),
    resource: text().notNull(),
    redirectUri: text('redirect_uri').notNull(),
    codeHash: text('code_hash').$type<TokenHash>().notNull().unique(),
    codeChallenge: text('code_challenge').notNull(),
    codeExpiresAt: moment('code_expires_at').notNull(),
    /** When the first tokens were issued. */
    startedAt: moment('started_at'),
    /**
     * The thumbprint of the key that every token is bound to (RFC 9449); before, of the one that
     * may redeem the code.
     */
    keyThumbprint: text('key_thumbprint'),
    /**
     * That key, if it is a device of the account: once the device is signed out, the tokens are
     * void.
     */
    keyId: text('key_id').references(() => deviceKeys.keyId),
    /** The key that signed the consent. */
    madeByKeyId: text('made_by_key_id'),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    /** When its newest refresh token expires. */
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    revokedReason: text('revoked_reason'),
    /**
     * If it was given for a token of another grant (RFC 8693): that grant, then the one before it, up to the one that
     * the user has allowed. Once one of them is over, so is this.
     */
    ancestors: uuid().array(),
    /** Then: its client, and the clients of these grants, in the same order. */
    actors: text().array(),
    /**
     * If a company's identity provider has allowed it, and not the account's owner: its issuer. A grant below another has
     * that of the first one. It is void unless the configuration names the issuer for the client.
     */
    issuer: text(),
  },
  ({ userId, clientId, expiresAt, state, tenant }) => [
    index('oauth2_grants_of_user').on(userId),
    index('oauth2_grants_of_client').on(clientId),
    index('oauth2_grants_expire').on(expiresAt),
    index('oauth2_grants_of_tenants').on(state, expiresAt).where(isNotNull(tenant)),
    check('oauth2_grants_state', sql`${state} in ('offered', 'active', 'revoked')`),
  ],
)

export const oauth2Tokens = svcAuth.table(
  'oauth2_tokens',
  {
    tokenHash: text('token_hash').$type<TokenHash>().primaryKey(),
    grantId: uuid('grant_id')
      .notNull()
      .references(() => oauth2Grants.grantId, { onDelete: 'cascade' }),
    kind: text().$type<'access' | 'refresh'>().notNull(),
    /** An access token may have fewer than its grant. */
    scopes: text().array().notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** For a refresh token: when it was replaced by the next. */
    spentAt: moment('spent_at'),
    /**
     * For a spent refresh token, for seconds: the response to it, encrypted under the token itself.
     */
    successor: text(),
  },
  ({ grantId, expiresAt, spentAt, successor }) => [
    index('oauth2_tokens_of_grant').on(grantId),
    index('oauth2_tokens_with_successor').on(spentAt).where(sql`${successor} is not null`),
    index('oauth2_tokens_expire').on(expiresAt),
  ],
)
