import { sql } from 'drizzle-orm'
import { boolean, check, index, json, text } from 'drizzle-orm/pg-core'
import type { TokenHash } from '../../crypto/crypto.ts'
import { moment, svcAuth } from '../../pg-schema.ts'
import type { ClientAuthMethod, Declaring } from './client-keys.ts'

/**
 * The programs that ask for access in a user's name: those that have registered, and those whose id
 * is the address of a document about them, as it was when it was last read.
 */
export const oauth2Clients = svcAuth.table(
  'oauth2_clients',
  {
    clientId: text('client_id').primaryKey(),
    source: text().$type<'registration' | 'document'>().notNull(),
    name: text().notNull(),
    uri: text(),
    redirectUris: text('redirect_uris').array().notNull(),
    authMethod: text('auth_method').$type<ClientAuthMethod>().notNull(),
    secretHash: text('secret_hash').$type<TokenHash>(),
    /**
     * For a registration: the keys that it signs with. Those of a document are read with it. Not
     * `jsonb`, which refuses U+0000 in the id of a key.
     */
    declaredKeys: json('declared_keys').$type<Declaring>(),
    /** It has promised to bind every token to a key of its own (RFC 9449). */
    isDpopBound: boolean('is_dpop_bound').notNull(),
    /** It has declared the grant by device codes (RFC 8628). No other client can ask for a code. */
    hasDeviceGrant: boolean('has_device_grant').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    /**
     * For a document: when to read it again. For a registration: when to delete it, unless a user
     * has granted it something.
     */
    expiresAt: moment('expires_at').notNull(),
  },
  ({ clientId, createdAt, expiresAt, authMethod, secretHash }) => [
    index('oauth2_clients_expire').on(expiresAt),
    // In the order of the operators' list.
    index('oauth2_clients_by_created').on(createdAt, clientId),
    check('oauth2_clients_secret', sql`(${authMethod} = 'none') = (${secretHash} is null)`),
  ],
)
