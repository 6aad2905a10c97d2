import { integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

/** One live code for a target and purpose; a new one takes the place of the old. */
export const verificationCodes = svcAuth.table(
  'verification_codes',
  {
    targetType: text('target_type').$type<'email' | 'phone'>().notNull(),
    target: text().notNull(),
    purpose: text().notNull(),
    codeHash: text('code_hash').notNull(),
    tries: integer().notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  ({ targetType, target, purpose }) => [primaryKey({ columns: [targetType, target, purpose] })],
)
