import { tenantTable } from '@svc/organizations/server'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const columns = () => ({
  text: text().notNull(),
  author: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

export const notices = pgTable('notices', { id: uuid().primaryKey(), ...columns() }, (table) => [
  index('notices_by_age').on(table.createdAt, table.id),
])

/** The boards of organizations. PostgreSQL keeps the rows of each apart, also where a filter is forgotten. */
export const orgNotices = tenantTable(
  'org_notices',
  { id: uuid().notNull(), ...columns() },
  (table) => [index('org_notices_by_age').on(table.organizationId, table.createdAt, table.id)],
)
