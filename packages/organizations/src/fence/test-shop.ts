import { randomUUID } from 'node:crypto'
import {
  type Db,
  defineJob,
  defineJobRouter,
  defineMiddleware,
  defineRouter,
  defineServer,
  type Infrastructure,
  type MigrationSource,
  route,
  t,
} from '@svc/core'
import { sql } from 'drizzle-orm'
import { index, integer, pgSchema, text, uuid } from 'drizzle-orm/pg-core'
import {
  acrossRole,
  inOrganization,
  organizationSettings,
  requireFence,
  tenantKey,
  tenantTable,
  tenantTablesIn,
} from './fence.ts'

export const customers = tenantTable('customers', {
  id: uuid().notNull(),
  name: text().notNull(),
})

export const invoices = tenantTable(
  'invoices',
  {
    id: uuid().notNull(),
    customerId: uuid('customer_id'),
    cents: integer().notNull(),
  },
  (table) => [
    tenantKey(table, table.customerId, customers),
    index('invoices_of_customer').on(table.organizationId, table.customerId),
  ],
)

const billing = pgSchema('billing')
const billingTable = tenantTablesIn(billing)
export const receipts = billingTable(
  'receipts',
  { id: uuid().notNull(), customerId: uuid('customer_id'), text: text().notNull() },
  (table) => [tenantKey(table, table.customerId, customers)],
)

export const ours = '11111111-1111-4111-8111-111111111111'
export const theirs = '22222222-2222-4222-8222-222222222222'

const fence: MigrationSource = {
  name: 'organizations',
  directory: new URL('../../migrations/', import.meta.url),
  roles: [acrossRole],
}

/** In an application, sign-in has found out that the caller is a member. */
const member = defineMiddleware(
  'member',
  (c, next) => {
    c.caller = 'ada'
    const { org } = c.req.param()
    if (org) c.databaseSettings = organizationSettings(org)
    return next()
  },
  { documents: { credentials: [{ member: { type: 'http', scheme: 'bearer' } }] } },
)

/** Sums up without a filter, as an application does that relies on the fence. */
const sumOf = async (db: Db) => {
  const { rows } = await db.execute(sql`select coalesce(sum(cents), 0)::int as sum from invoices`)
  return rows[0]
}

export const sums = new Map<string, unknown>()

const sumUp = defineJob('shop.sum-up')
  .input(t.Object({ run: t.String(), org: t.String() }))
  .handler(async ({ run, org }, { db }) => {
    sums.set(run, await sumOf(inOrganization(db, org)))
  })

const params = t.Object({ org: t.String({ format: 'uuid' }) })

const router = defineRouter({
  listInvoices: route
    .get('/orgs/:org/invoices')
    .input({ params })
    // Its filter is forgotten.
    .handler(async (c) => ({ invoices: await c.db.select().from(invoices) })),
  staleSum: route
    .get('/orgs/:org/sum')
    .input({ params })
    .stale()
    .handler((c) => sumOf(c.db)),
  makeInvoice: route
    .post('/orgs/:org/invoices')
    .input({ params, body: t.Object({ cents: t.Integer() }) })
    .handler(async (c) => {
      const { body } = await c.data()
      const [made] = await c.db
        .insert(invoices)
        .values({ id: randomUUID(), cents: body.cents })
        .returning()
      return made
    }),
  payOnce: route
    .post('/orgs/:org/payments')
    .input({ params })
    .idempotent()
    .handler(async (c) => {
      await c.db.insert(invoices).values({ id: randomUUID(), cents: -1 })
      return sumOf(c.db)
    }),
  raiseAll: route
    .post('/orgs/:org/raise')
    .input({ params })
    .handler(async (c) => {
      const raised = await c.db.execute(sql`update invoices set cents = cents + 1`)
      return { raised: raised.rowCount }
    }),
  outside: route
    .get('/invoices')
    .handler(async (c) => ({ invoices: await c.db.select().from(invoices) })),
  enqueueSum: route
    .post('/orgs/:org/jobs')
    .input({ params, body: t.Object({ run: t.String() }) })
    .handler(async (c) => {
      const {
        params: { org },
        body: { run },
      } = await c.data()
      await sumUp.enqueue({ run, org })
      return {}
    }),
}).use([member])

/** An application with tenant tables. Its migration is what `svc generate` writes for them. */
export const shop = defineServer()
  .lifecycle({
    name: 'organizations',
    migrations: fence,
    afterInfrastructure: async ({ database }: Infrastructure) => {
      if (database) await requireFence(database.db)
    },
  })
  .database({
    schema: { billing, customers, invoices, receipts },
    migrations: new URL('./test-migrations/', import.meta.url),
  })
  .routes(router)
  .jobs(defineJobRouter({ sumUp }))

/** Empties the tables, and gives each organization an invoice. */
export async function fill(owner: { query(text: string): Promise<unknown> }) {
  await owner.query(`truncate customers, invoices, billing.receipts`)
  for (const [org, cents] of [
    [ours, 100],
    [theirs, 900],
  ] as const) {
    await owner.query(
      `insert into customers (organization_id, id, name) values ('${org}', '${org}', 'Ada')`,
    )
    await owner.query(
      `insert into invoices (organization_id, id, customer_id, cents) values ('${org}', '${org}', '${org}', ${cents})`,
    )
  }
}
