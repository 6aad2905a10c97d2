import { index, text } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

/**
 * Things that may be used once and have been: request ids, verification tokens. Rows are deleted
 * once nothing could use them again.
 */
export const spent = svcAuth.table(
  'spent',
  { id: text().primaryKey(), until: moment('until').notNull() },
  ({ until }) => [index('spent_until').on(until)],
)
