import { onTestFinished } from 'vitest'
import { createApplication, orders } from '../testing/application.ts'

export const schema = `import { tenantKey, tenantTable, tenantTablesIn } from '@svc/organizations/server'
import { index, integer, pgSchema, text, uuid } from 'drizzle-orm/pg-core'

export const customers = tenantTable('customers', {
  id: uuid().notNull(),
  name: text().notNull(),
})

export const invoices = tenantTable(
  'invoices',
  { id: uuid().notNull(), customerId: uuid('customer_id'), cents: integer().notNull() },
  (table) => [
    tenantKey(table, table.customerId, customers),
    index('invoices_of_customer').on(table.organizationId, table.customerId),
  ],
)

export const billing = pgSchema('billing')
const billingTable = tenantTablesIn(billing)
export const receipts = billingTable(
  'receipts',
  { id: uuid().notNull(), customerId: uuid('customer_id'), text: text().notNull() },
  (table) => [tenantKey(table, table.customerId, customers)],
)
`

export async function generate(given: string) {
  const application = await createApplication({ ...orders, 'schema.ts': given })
  onTestFinished(() => application.remove())
  const outcome = await application.svc(['generate', '--name', 'shop'])
  return { application, outcome }
}
