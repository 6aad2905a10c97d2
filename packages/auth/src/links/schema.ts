import { sql } from 'drizzle-orm'
import { check, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '../accounts/schema.ts'
import { moment, svcAuth } from '../pg-schema.ts'

/**
 * What a mailed link is for. A further capability's purpose begins with its name. No statement
 * accepts one for another.
 */
export type LinkPurpose = 'signup' | 'password_reset' | 'revoke_all' | `${string}/${string}`

/**
 * `requested` has no token yet: the job that mails it makes one. `opened` has become a setup
 * session. `superseded` was replaced by a newer one.
 */
export type LinkState = 'requested' | 'issued' | 'opened' | 'spent' | 'superseded'

export const mailedLinks = svcAuth.table(
  'mailed_links',
  {
    linkId: uuid('link_id').primaryKey(),
    purpose: text().$type<LinkPurpose>().notNull(),
    /** The recipient: an address, or the account's id if it is known from the start. */
    subject: text().notNull(),
    state: text().$type<LinkState>().notNull(),
    tokenHash: text('token_hash').unique(),
    setupHash: text('setup_hash').unique(),
    /**
     * The account, with its generation when the link was issued: an account-wide revocation ends
     * the link too.
     */
    userId: uuid('user_id').references(() => users.userId, { onDelete: 'cascade' }),
    generation: integer(),
    returnPath: text('return_path'),
    locale: text(),
    createdAt: moment('created_at').notNull(),
    /** When the link expires and, once it is opened, its setup session. */
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
  },
  ({ purpose, subject, state, userId, expiresAt }) => [
    uniqueIndex('mailed_links_live')
      .on(purpose, subject)
      .where(sql`${state} in ('requested', 'issued', 'opened')`),
    index('mailed_links_of_user').on(userId),
    index('mailed_links_by_expiry').on(expiresAt),
    check(
      'mailed_links_state',
      sql`${state} in ('requested', 'issued', 'opened', 'spent', 'superseded')`,
    ),
  ],
)
