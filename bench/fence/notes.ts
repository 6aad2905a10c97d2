import { prepared } from '@svc/core'
import { tenantTable } from '@svc/organizations/server'
import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

const fenced = tenantTable('fenced', { id: integer().notNull(), body: text().notNull() })

const open = pgTable(
  'open',
  {
    organizationId: uuid('organization_id').notNull(),
    id: integer().notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
)

/** Both read the rows of one organization: one by its filter, the other by the fence. */
export const filteredRead = prepared('bench_filtered_read', (db, name) =>
  db
    .select()
    .from(open)
    .where(eq(open.organizationId, sql.placeholder('organizationId')))
    .limit(10)
    .prepare(name),
)
export const fencedRead = prepared('bench_fenced_read', (db, name) =>
  db.select().from(fenced).limit(10).prepare(name),
)

/** The tables of organizations, and of the notes. */
export const sources = [
  {
    name: 'organizations',
    directory: new URL('../../packages/organizations/migrations/', import.meta.url),
  },
  { name: 'app', directory: new URL('./migrations/', import.meta.url) },
]
