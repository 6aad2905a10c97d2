import { sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../accounts/schema.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { moment, svcAuth } from '../../pg-schema.ts'
import { oauth2Clients } from '../clients/schema.ts'

/** `approved` has a grant, which its client redeems once. */
type RequestState = 'pending' | 'approved' | 'denied'

/** A client that shows a code and waits for a user. Every statement requires that it has not expired. */
export const oauth2DeviceRequests = svcAuth.table(
  'oauth2_device_requests',
  {
    codeHash: text('code_hash').$type<TokenHash>().primaryKey(),
    userCode: text('user_code').notNull().unique(),
    state: text().$type<RequestState>().notNull(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauth2Clients.clientId, { onDelete: 'cascade' }),
    scopes: text().array().notNull(),
    resource: text().notNull(),
    /** The thumbprint of the one key that may redeem the code: the first that the client has shown (RFC 9449). */
    keyThumbprint: text('key_thumbprint'),
    requestedAt: moment('requested_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** How long the client must pause between two polls. It grows each time that the client polls too early. */
    intervalSeconds: integer('interval_seconds').notNull(),
    lastPolledAt: moment('last_polled_at'),
    /** The first user who has looked at it. No other user can decide it. */
    claimedBy: uuid('claimed_by').references(() => users.userId, { onDelete: 'set null' }),
    decidedAt: moment('decided_at'),
    /** What was allowed. */
    grantId: uuid('grant_id'),
  },
  ({ clientId, claimedBy, expiresAt, state, grantId }) => [
    index('oauth2_device_requests_expire').on(expiresAt),
    index('oauth2_device_requests_of_client').on(clientId),
    index('oauth2_device_requests_of_user').on(claimedBy),
    check('oauth2_device_requests_state', sql`${state} in ('pending', 'approved', 'denied')`),
    check('oauth2_device_requests_grant', sql`(${state} = 'approved') = (${grantId} is not null)`),
  ],
)
