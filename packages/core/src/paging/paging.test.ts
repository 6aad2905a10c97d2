import { asc, sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { itemsOf, pagesOf } from '../calls.ts'
import {
  defineCursor,
  defineRouter,
  defineServer,
  openApi,
  pageOf,
  pageQuery,
  route,
  routeTable,
  t,
} from '../index.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const orders = pgTable('orders', { id: text().primaryKey(), state: text().notNull() })

const byId = defineCursor('orders by id', t.Object({ id: t.String() }))
const byState = defineCursor('orders by state', t.Object({ id: t.String() }))

const listOrders = route
  .get('/orders')
  .input({ query: t.Object({ ...pageQuery, state: t.Optional(t.String()) }) })
  .answer(pageOf(t.Object({ id: t.String() })))
  .handler(async (c) => {
    const { after, limit, state } = (await c.data()).query
    const from = byId.read(after)
    const rows = await c.db
      .select()
      .from(orders)
      .where(
        sql`${from ? sql`${orders.id} > ${from.id}` : sql`true`} and ${state ? sql`${orders.state} = ${state}` : sql`true`}`,
      )
      .orderBy(asc(orders.id))
      .limit(limit + 1)
    return byId.page(rows, limit, ({ id }) => ({ id }))
  })

const router = defineRouter({ listOrders })
const database = await createTestDatabase()
await database.db.execute(sql`create table orders (id text primary key, state text not null)`)
await database.db.execute(
  sql`insert into orders select 'o' || lpad(n::text, 3, '0'), case when n % 2 = 0 then 'even' else 'odd' end from generate_series(1, 45) n`,
)
const server = await startTestServer(defineServer().routes(router), {
  env: { DATABASE_URL: database.url, SVC_MIGRATE: 'apply' },
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})
const api = server.api<typeof router>()
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `o${String(from + at).padStart(3, '0')}`)

const refusal = {
  ok: false,
  error: {
    name: 'ValidationError',
    fields: [{ path: 'query.after', message: 'Send the `next` of a page of the same list.' }],
  },
}

describe('a list by pages', () => {
  it('has 20 items on a page, and a next one until the last', async () => {
    const first = await api.listOrders.call()
    const second = await api.listOrders.call({ query: { after: first.next ?? '' } })
    const last = await api.listOrders.call({ query: { after: second.next ?? '', limit: 5 } })
    expect([first.items.length, second.items.length, last.items.length]).toEqual([20, 20, 5])
    expect(last).not.toHaveProperty('next')
    expect([first, second, last].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      numbered(1, 45),
    )
  })

  it('moves no row to another page when others come and go', async () => {
    const first = await api.listOrders.call({ query: { limit: 2 } })
    await database.pool.query("insert into orders values ('o000', 'odd')")
    const second = await api.listOrders.call({ query: { limit: 2, after: first.next ?? '' } })
    await database.pool.query("delete from orders where id = 'o000'")
    expect(second.items).toEqual([{ id: 'o003' }, { id: 'o004' }])
  })

  it('refuses what is no place in its order', async () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [tag] = JSON.parse(Buffer.from(byId.write({ id: 'o001' }), 'base64url').toString())
    const foreign = [
      'nonsense',
      '',
      encoded(['x', { id: 'o001' }]),
      encoded({ id: 'o001' }),
      encoded([tag, { id: 1 }]),
      encoded([tag, {}]),
      byId.write({ id: 'a\0' }),
      // Of another order, or from before its name was changed.
      byState.write({ id: 'o001' }),
    ]
    for (const after of foreign) {
      expect(await api.listOrders.try({ query: { after } })).toMatchObject(refusal)
    }
    for (const limit of [0, 101]) {
      expect(await api.listOrders.try({ query: { limit } })).toMatchObject({ ok: false })
    }
  })

  it('is in the OpenAPI document', () => {
    const { paths } = openApi(routeTable(router), { title: 'x', version: '1' })
    expect(paths['/orders']?.get).toMatchObject({
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'after', in: 'query', required: false }),
        expect.objectContaining({ name: 'limit', in: 'query', required: false }),
      ]),
      responses: {
        200: {
          content: {
            'application/json': {
              schema: {
                required: ['items'],
                properties: { items: { type: 'array' }, next: { type: 'string' } },
              },
            },
          },
        },
      },
    })
  })
})

describe('itemsOf', () => {
  it('goes through the items of all pages, with the same query, and asks for no page too many', async () => {
    const asked: string[] = []
    const counted = server.api<typeof router>({
      fetch: (url, init) => {
        asked.push(new Request(url).url.replace(server.url, '').replace(/after=[\w-]+/, 'after=…'))
        return fetch(url, init)
      },
    })
    const ids: string[] = []
    for await (const order of itemsOf(counted.listOrders, { query: { state: 'odd', limit: 10 } })) {
      expectTypeOf(order).toEqualTypeOf<{ id: string }>()
      ids.push(order.id)
    }
    expect(ids).toEqual(numbered(1, 45).filter((_, at) => at % 2 === 0))
    const next = '/orders?state=odd&limit=10&after=…'
    expect(asked).toEqual(['/orders?state=odd&limit=10', next, next])

    asked.length = 0
    for await (const { id } of itemsOf(counted.listOrders)) if (id === 'o003') break
    expect(asked).toHaveLength(1)
    // @ts-expect-error -- the operation takes no such member
    itemsOf(counted.listOrders, { query: { colour: 'red' } })
  })

  it('goes page by page where that is wanted', async () => {
    const sizes = []
    for await (const { items } of pagesOf(api.listOrders)) sizes.push(items.length)
    expect(sizes).toEqual([20, 20, 5])
  })
})
