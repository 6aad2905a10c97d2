import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/** `spent` has let its call in: another call needs another approval. */
export type ApprovalState = 'pending' | 'approved' | 'refused' | 'spent'

export type AskerKind = 'agent' | 'machine' | 'device'

/** The values of a call, by their names. */
export type Given = Readonly<Record<string, unknown>>

/** A call that the owner of the account is asked to approve. Every statement requires that it has not expired. */
export const approvals = svcAuth.table(
  'approvals',
  {
    approvalId: uuid('approval_id').primaryKey().defaultRandom(),
    state: text().$type<ApprovalState>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.userId, { onDelete: 'cascade' }),
    /** The account's generation when it was asked: the approval is void in any other. */
    generation: integer().notNull(),
    /** The grant or the key that asks. No other caller can use what the owner approves. */
    asker: text().notNull(),
    askerKind: text('asker_kind').$type<AskerKind>().notNull(),
    /** What the agent or the device calls itself. */
    askerName: text('asker_name'),
    /** If an agent asks: its client. */
    clientId: text('client_id'),
    /** If a key asks. */
    keyId: text('key_id'),
    /** `POST /orders/:id/refund` */
    operation: text().notNull(),
    /** What the owner reads of it. */
    title: text().notNull(),
    given: jsonb().$type<Given>().notNull(),
    /** Of what is given: no call with other values can use the approval. */
    givenHash: text('given_hash').notNull(),
    askedAt: moment('asked_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    decidedAt: moment('decided_at'),
    decidedByKeyId: text('decided_by_key_id'),
  },
  ({ userId, asker, operation, givenHash, state, expiresAt }) => [
    uniqueIndex('approvals_of_call')
      .on(asker, operation, givenHash)
      .where(sql`${state} <> 'spent'`),
    index('approvals_of_user').on(userId),
    index('approvals_expire').on(expiresAt),
    check('approvals_state', sql`${state} in ('pending', 'approved', 'refused', 'spent')`),
  ],
)
