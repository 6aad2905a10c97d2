import { index, integer, text } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

/** How often something was attempted in the window that ends then. */
export const attempts = svcAuth.table(
  'attempts',
  {
    id: text().primaryKey(),
    count: integer().notNull(),
    windowEndsAt: moment('window_ends_at').notNull(),
  },
  ({ windowEndsAt }) => [index('attempts_window_ends_at').on(windowEndsAt)],
)
