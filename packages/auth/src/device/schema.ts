import { sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import type { KeyBinding } from '../caller/caller.ts'
import type { KeyAlgorithm } from '../crypto/contract.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** `refused` came from an account-wide revocation, `denied` from a user. */
export type DeviceRequestState = 'pending' | 'approved' | 'denied' | 'refused' | 'spent'

/**
 * A device that waits for a user to sign it in. Every statement requires that it has not expired.
 */
export const deviceRequests = svcAuth.table(
  'device_requests',
  {
    codeHash: text('code_hash').primaryKey(),
    userCode: text('user_code').notNull().unique(),
    state: text().$type<DeviceRequestState>().notNull(),
    keyId: text('key_id').notNull(),
    publicKey: text('public_key').notNull(),
    fingerprint: text().notNull(),
    algorithm: text().$type<KeyAlgorithm>().notNull(),
    deviceName: text('device_name'),
    platform: text().$type<'ios' | 'android' | 'web' | 'desktop'>(),
    requestedAt: moment('requested_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** The first user who has looked at it. No other user can decide it. */
    claimedBy: uuid('claimed_by').references(() => users.userId, { onDelete: 'set null' }),
    /** The account's generation when it approved: the approval is void in any other. */
    generation: integer(),
    /** The key that approved it. */
    approvedByKeyId: text('approved_by_key_id'),
    /**
     * Copied from the key that approved: the new key lives no longer, and its sign-in counts as no
     * later.
     */
    authenticatedAt: moment('authenticated_at'),
    binding: text().$type<KeyBinding>(),
    keyExpiresAt: moment('key_expires_at'),
    decidedAt: moment('decided_at'),
    lastPolledAt: moment('last_polled_at'),
  },
  ({ state, claimedBy, expiresAt }) => [
    index('device_requests_expire').on(expiresAt),
    index('device_requests_of_user').on(claimedBy).where(sql`${state} in ('pending', 'approved')`),
    check(
      'device_requests_state',
      sql`${state} in ('pending', 'approved', 'denied', 'refused', 'spent')`,
    ),
  ],
)
