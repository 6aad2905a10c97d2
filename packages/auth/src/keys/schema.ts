import { isNotNull, sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import type { KeyBinding } from '../caller/caller.ts'
import type { KeyAlgorithm } from '../crypto/contract.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/**
 * A `machine` is a program of the account's owner: it has a part of their permissions, and can't
 * sign in. With a `support` key an operator acts as the owner for a while.
 */
export type KeyKind = 'device' | 'machine' | 'support'

/**
 * `pending` waits for a second factor; `deleted` is a tombstone, so that the id is never used
 * again.
 */
export type KeyState = 'pending' | 'active' | 'revoked' | 'deleted'

export const deviceKeys = svcAuth.table(
  'device_keys',
  {
    keyId: text('key_id').primaryKey(),
    userId: uuid('user_id').references(() => users.userId, { onDelete: 'set null' }),
    state: text().$type<KeyState>().notNull(),
    kind: text().$type<KeyKind>().notNull().default('device'),
    /** The permissions that a machine has of its owner's. */
    permissions: text().array(),
    publicKey: text('public_key').notNull(),
    fingerprint: text().notNull(),
    algorithm: text().$type<KeyAlgorithm>().notNull(),
    deviceName: text('device_name'),
    platform: text().$type<'ios' | 'android' | 'web' | 'desktop'>(),
    registeredIp: text('registered_ip'),
    registeredUserAgent: text('registered_user_agent'),
    createdAt: moment('created_at').notNull(),
    /** When its owner last signed in with it. A rotation does not count. */
    authenticatedAt: moment('authenticated_at').notNull(),
    /**
     * The last sign-in, and the way of it: `password`, `code`, `passkey`, or what the sign-in calls itself. A fresh proof
     * is no sign-in, and neither is an approval, which hands on that of the key that approves. Null for a program, and for
     * a key that was registered before these columns were there.
     */
    signedInAt: moment('signed_in_at'),
    signedInBy: text('signed_in_by'),
    /** The longest time since then in which it was not used, up to the last use that was noted. */
    unusedSeconds: integer('unused_seconds'),
    /**
     * The key that let it in: that of the device that approved this one, or added this program.
     * Rows of keys are never deleted, so a foreign key would gain nothing, and adding it would have
     * to read the whole table.
     */
    madeByKeyId: text('made_by_key_id'),
    /**
     * For a support session: the operator, and the operator's key that opened it, and with which it
     * ends.
     */
    actorId: uuid('actor_id'),
    actorKeyId: text('actor_key_id'),
    binding: text().$type<KeyBinding>(),
    expiresAt: moment('expires_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    lastAddress: text('last_address'),
    concurrentUseAt: moment('concurrent_use_at'),
    secondFactorProvedAt: moment('second_factor_proved_at'),
    /** The id by which the browser of its sign-in is known, until the key is revoked. */
    knownId: uuid('known_id'),
    revokedAt: moment('revoked_at'),
    revokedReason: text('revoked_reason'),
    /** The key that replaced it by a rotation or a renewal. */
    successorKeyId: text('successor_key_id'),
  },
  ({ keyId, userId, fingerprint, state, kind, permissions, createdAt, actorId, actorKeyId }) => [
    index('device_keys_of_user').on(userId),
    index('device_keys_by_fingerprint').on(fingerprint),
    index('device_keys_of_operator').on(actorId).where(isNotNull(actorId)),
    index('device_keys_of_support')
      .on(actorKeyId)
      .where(sql`${kind} = 'support' and ${state} = 'active'`),
    // In the order of the operators' list. Signing in writes nothing into it.
    index('device_keys_of_machines')
      .on(createdAt, keyId)
      .where(sql`${kind} = 'machine' and ${state} = 'active'`),
    check('device_keys_state', sql`${state} in ('pending', 'active', 'revoked', 'deleted')`),
    check('device_keys_kind', sql`(${kind} = 'machine') = (${permissions} is not null)`),
  ],
)
