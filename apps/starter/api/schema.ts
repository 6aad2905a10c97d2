import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey(),
    text: text().notNull(),
    author: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('notices_by_age').on(table.createdAt, table.id)],
)
