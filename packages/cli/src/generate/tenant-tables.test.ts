import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createApplication, orders } from '../testing/application.ts'

const schema = `import { tenantKey, tenantTable } from '@svc/organizations/server'
import { index, integer, text, uuid } from 'drizzle-orm/pg-core'

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
`

/** What the tests of the fence migrate. */
const tested = join(
  import.meta.dirname,
  '../../../organizations/src/fence/test-migrations/0001_shop.sql',
)

async function generate(given: string) {
  const application = await createApplication({ ...orders, 'schema.ts': given })
  onTestFinished(() => application.remove())
  const outcome = await application.svc(['generate', '--name', 'shop'])
  return { application, outcome }
}

it('svc generate writes the policies of tenant tables, and forces row level security', async () => {
  const { application, outcome } = await generate(schema)
  expect(outcome).toMatchObject({ code: 0, stderr: '' })
  const sql = await application.read('migrations/0001_shop.sql')
  expect(sql).toBe(await readFile(tested, 'utf8'))
  expect(sql.match(/FORCE ROW LEVEL SECURITY/g)).toHaveLength(2)
  expect((await application.svc(['generate', '--check'])).stdout).toBe('nothing changed\n')
})

it.each([
  ['.notNull().primaryKey()', 'has the primary key (organization_id, id): remove .primaryKey()'],
  ['.notNull().unique()', null],
])('a tenant table whose id is %s', async (more, problem) => {
  const { outcome } = await generate(schema.replace('.notNull()', more))
  if (problem) expect(outcome.stderr).toContain(problem)
  expect(outcome.code).toBe(problem ? 1 : 0)
})
