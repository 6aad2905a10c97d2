import { defineContract } from '@svc/auth/contract'
import {
  accessTokenAuth,
  allow,
  createAuthLifecycle,
  createAuthRouter,
  defineCapability,
  recordAct,
} from '@svc/auth/server'
import {
  type Db,
  defineJob,
  defineJobRouter,
  defineServer,
  type HandlerContext,
  perMinute,
  route,
  t,
} from '@svc/core'
import { defineChannel, defineEventRouter, HttpError } from '@svc/core/contract'
import { eq, gt, sql } from 'drizzle-orm'
import { agentInOrg, getOrganization, inOrg, isMember, member } from '../allow.ts'
import { organizations as capability } from '../capability.ts'
import { organizations } from '../contract.ts'
import { customers, invoices } from '../fence/test-shop.ts'

/** What its resolver finds at every name. */
export const challenge = 'the challenge of a trial'

class ForeignRowError extends HttpError {
  readonly name = 'ForeignRowError'
  readonly status = 409
}

const id = t.String({ format: 'uuid' })
const ofOrg = t.Object({ org: id })
const ofRow = t.Object({ org: id, id })

/** An act of the application. Its type is declared for the whole program, so no test declares it. */
export const renaming = 'shop.customer_renamed' as never

const shop = defineCapability(defineContract('shop', { operations: {} }), {
  audit: [renaming],
  handlers: {},
})

/** What each job has seen, by the name that the request gave it. */
export const seen = new Map<string, string>()

const textOf = async (db: Db) => JSON.stringify(await db.select().from(customers))

const readAll = defineJob('trials.read-all')
  .input(t.Object({ run: t.String() }))
  .handler(async ({ run }, { db }) => {
    seen.set(run, await textOf(db))
  })

// No statement here names the organization: that is what the fence is for.
const ofMembers = {
  readBoard: member()(
    route
      .get('/orgs/:org/board')
      .input({ params: ofOrg })
      .limit(perMinute(3), 'by tenant')
      .handler((c) => ({ name: getOrganization(c).name })),
  ),
  listCustomers: inOrg('invoice:read')(
    route
      .get('/orgs/:org/customers')
      .input({ params: ofOrg, query: t.Object({ after: t.Optional(id) }) })
      .handler(async (c) => {
        const { after } = (await c.data()).query
        const behind = after === undefined ? undefined : gt(customers.id, after)
        return { customers: await c.db.select().from(customers).where(behind) }
      }),
  ),
  readCustomer: inOrg('invoice:read')(
    route
      .get('/orgs/:org/customers/:id')
      .input({ params: ofRow })
      .handler(async (c) => {
        const { params } = await c.data()
        return { found: await c.db.select().from(customers).where(eq(customers.id, params.id)) }
      }),
  ),
  reportBySql: inOrg('invoice:read')(
    route
      .get('/orgs/:org/report')
      .input({ params: ofOrg, query: t.Object({ of: id }) })
      .handler(async (c) => {
        const { of } = (await c.data()).query
        const { rows } = await c.db.execute(sql`
          select c.name, coalesce(sum(i.cents), 0)::int as cents
          from customers c left join invoices i on i.customer_id = c.id
          where c.organization_id = ${of} or i.organization_id = ${of} or c.id = ${of} or true
          group by c.name`)
        return { rows }
      }),
  ),
  addInvoice: inOrg('invoice:write')(
    route
      .post('/orgs/:org/invoices')
      .input({
        params: ofOrg,
        body: t.Object({ customerId: id, organizationId: t.Optional(id) }),
      })
      .handler(async (c) => {
        const { body } = await c.data()
        const values = { id: crypto.randomUUID(), cents: 1, ...body }
        // The foreign key, or the policy, refuses what belongs to another organization.
        return { made: await c.db.insert(invoices).values(values).returning().catch(refuseForeign) }
      }),
  ),
  renameCustomer: inOrg('invoice:write')(
    route
      .put('/orgs/:org/customers/:id')
      .input({ params: ofRow })
      .handler(async (c) => {
        const { params } = await c.data()
        return rename(c, params.id)
      }),
  ),
  deleteInvoices: inOrg('invoice:write')(
    route
      .delete('/orgs/:org/customers/:id/invoices')
      .input({ params: ofRow })
      .handler(async (c) => {
        const { params } = await c.data()
        return {
          deleted: await c.db
            .delete(invoices)
            .where(eq(invoices.customerId, params.id))
            .returning(),
        }
      }),
  ),
  enqueueReading: inOrg('invoice:read')(
    route
      .post('/orgs/:org/jobs')
      .input({ params: ofOrg, body: t.Object({ run: t.String() }) })
      .handler(async (c) => {
        await readAll.enqueue((await c.data()).body)
        return {}
      }),
  ),
}

/** For agents, with a token for `/mcp`. */
const agentRoutes = {
  agentCustomers: agentInOrg(
    '/mcp',
    'invoice:read',
  )(
    route
      .get('/orgs/:org/mcp/customers')
      .input({ params: ofOrg })
      .handler(async (c) => ({ customers: await c.db.select().from(customers) })),
  ),
  agentRenames: agentInOrg(
    '/mcp',
    'invoice:write',
  )(
    route
      .put('/orgs/:org/mcp/customers/:id')
      .input({ params: ofRow })
      .handler(async (c) => {
        const { params } = await c.data()
        return rename(c, params.id)
      }),
  ),
  agentEnqueues: agentInOrg(
    '/mcp',
    'invoice:read',
  )(
    route
      .post('/orgs/:org/mcp/jobs')
      .input({ params: ofOrg, body: t.Object({ run: t.String() }) })
      .handler(async (c) => {
        await readAll.enqueue((await c.data()).body)
        return {}
      }),
  ),
  /** The path names no organization: the grant does. */
  agentAnywhere: allow.by(accessTokenAuth('/mcp'))(
    route.get('/mcp/customers').handler(async (c) => {
      const { id: of } = getOrganization(c)
      return { of, customers: await c.db.select().from(customers) }
    }),
  ),
}

export const routes = { ...ofMembers, ...agentRoutes }

function rename(c: HandlerContext, customerId: string) {
  return c.db.transaction(async (tx) => {
    const renamed = await tx
      .update(customers)
      .set({ name: sql`${customers.name} || ' (renamed)'` })
      .where(eq(customers.id, customerId))
      .returning()
    for (const { id: target } of renamed) await recordAct(tx, { act: renaming, target, c })
    return { renamed }
  })
}

/** PostgreSQL's refusal of a row that is another organization's. */
function refuseForeign(error: unknown): never {
  const { code } = (error as { cause?: { code?: string } }).cause ?? {}
  throw code === '23503' || code === '42501' ? new ForeignRowError() : error
}

const boardChanged = defineChannel('board.changed', t.Object({ text: t.String() }))
export const eventRouter = defineEventRouter({ boardChanged })

/** An application with tenant tables, a job and a channel, agents and support sessions. */
export const definition = defineServer()
  .routes(createAuthRouter({ routes, contracts: [organizations] }))
  .lifecycle(
    createAuthLifecycle({
      templates: { 'new-device': null },
      support: {},
      authorizationServer: {
        scopes: {
          board: 'Read the board',
          'invoice:read': 'See invoices',
          'invoice:write': 'Write invoices',
        },
        defaultScopes: ['board'],
        resources: ['/mcp'],
        registration: 'open',
      },
      capabilities: [
        shop,
        capability({
          permissions: [
            { name: 'invoice:read', displayName: 'See invoices' },
            { name: 'invoice:write', displayName: 'Write invoices' },
          ],
          roles: { member: ['invoice:read'] },
          maxOwned: 100_000,
          dnsResolver: { resolveTxt: async () => [[challenge]] },
        }),
      ],
    }),
  )
  .database({
    schema: { customers, invoices },
    migrations: new URL('../fence/test-migrations/', import.meta.url),
  })
  .jobs(defineJobRouter({ readAll }))
  .events(eventRouter, {
    auth: { enabled: true, channels: { boardChanged: isMember } },
  })
