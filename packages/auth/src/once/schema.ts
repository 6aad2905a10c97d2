import { index, text } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

/** What may be used once and has been: request ids, verification tokens. Rows go when nothing could use them again. */
export const spent = svcAuth.table(
  'spent',
  { id: text().primaryKey(), until: moment('until').notNull() },
  ({ until }) => [index('spent_until').on(until)],
)
