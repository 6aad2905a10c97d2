import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  afterCommit,
  ConflictError,
  type Db,
  defineMiddleware,
  defineRouter,
  defineServer,
  route,
  t,
  UnauthorizedError,
} from '../index.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const scheme = { visitor: { type: 'apiKey', in: 'header', name: 'x-visitor' } }

const visitor = defineMiddleware(
  'visitor',
  (c, next) => {
    c.caller = c.req.header('x-visitor')
    if (!c.caller) throw new UnauthorizedError()
    c.header('x-asked', randomUUID())
    return next()
  },
  { documents: { credentials: [scheme], errors: [UnauthorizedError] } },
)

/** What the next change does when it is about to answer. */
let then: () => unknown = () => {}
beforeEach(() => {
  then = () => {}
})

const Order = t.Object({ id: t.String(), note: t.String() })

const placeOrder = route
  .post('/orders')
  .input({ query: t.Object({ dry: t.Optional(t.String()) }), body: t.Object({ note: t.String() }) })
  .answer(Order, 201)
  .errors(ConflictError)
  .idempotent()
  .handler(async (c) => {
    const { note } = (await c.data()).body
    const id = randomUUID()
    await c.db.execute(sql`insert into orders (id, note) values (${id}, ${note})`)
    c.raw.header('x-made', id)
    await then()
    return c.created({ id, note }, `/orders/${id}`)
  })

const ofOne = { params: t.Object({ orderId: t.String() }) }

const dropOrder = route
  .delete('/orders/:orderId')
  .input(ofOne)
  .idempotent()
  .handler(async (c) => {
    const { orderId } = (await c.data()).params
    await c.db.execute(sql`delete from orders where id = ${orderId}`)
    return c.noContent()
  })

let tries = 0
const payOrder = route
  .put('/orders/:orderId/payment')
  .input(ofOne)
  .idempotent()
  .handler((c) => c.json({ tried: ++tries }, 402))

const router = defineRouter({
  placeOrder,
  dropOrder,
  payOrder,
  keepOrder: route
    .put('/orders/:orderId')
    .input(ofOne)
    .idempotent()
    .handler(() => 'kept'),
}).use([visitor])

const database = await createTestDatabase()
await database.db.execute(sql`create table orders (id text primary key, note text not null)`)
const env = { DATABASE_URL: database.url, SVC_MIGRATE: 'apply' }
const first = await startTestServer(defineServer().routes(router), { env })
const second = await startTestServer(defineServer().routes(router), { env })
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
  await database.drop()
})

/** The instances of one application have one time. */
function advance(by: string) {
  for (const { clock } of [first, second]) clock.advance(by)
}

interface Sent {
  key?: string
  of?: string
  note?: string
  path?: string
  server?: typeof first
}

async function place({ key, of = 'ada', note = 'soon', path = '/orders', server = first }: Sent) {
  const answer = await server.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-visitor': of,
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ note }),
  })
  const { status, headers } = answer
  const kept = ['location', 'x-made', 'retry-after'].map((name) => headers.get(name))
  return { status, body: await answer.text(), kept }
}

const orders = async () => {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from orders',
  )
  return rows[0]?.count ?? 0
}

const change = (method: 'PUT' | 'DELETE', path: string, key: string) =>
  first.fetch(path, { method, headers: { 'x-visitor': 'ada', 'idempotency-key': key } })

/** How many orders a function has made. */
async function made(run: () => Promise<unknown>) {
  const before = await orders()
  await run()
  return (await orders()) - before
}

describe('a request with the key of an earlier one', () => {
  it('gets the same status, body and headers, and changes nothing more', async () => {
    const key = randomUUID()
    const answers: unknown[] = []
    expect(
      await made(async () => {
        for (const server of [first, second, first]) answers.push(await place({ key, server }))
      }),
    ).toBe(1)
    expect(answers[0]).toMatchObject({
      status: 201,
      kept: [expect.stringMatching('/orders/'), expect.any(String), null],
    })
    expect(answers).toEqual([answers[0], answers[0], answers[0]])
  })

  it('gets the same answer without a body', async () => {
    const key = randomUUID()
    const drop = () => change('DELETE', '/orders/o1', key)
    expect([(await drop()).status, (await drop()).status]).toEqual([204, 204])
  })

  it('gets the headers that the handler has set, and those of middleware as they are now', async () => {
    const key = randomUUID()
    const headersOf = async () => {
      const answer = await first.fetch('/orders', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-visitor': 'ada',
          'idempotency-key': key,
        },
        body: JSON.stringify({ note: 'soon' }),
      })
      return ['x-made', 'x-asked'].map((name) => answer.headers.get(name))
    }
    const [orderId, asked] = await headersOf()
    expect(await headersOf()).toEqual([orderId, expect.not.stringMatching(asked ?? '')])
  })

  it('is refused with 422 where its body, its query or its path differ (R50)', async () => {
    const key = randomUUID()
    await place({ key })
    const refused = {
      status: 422,
      body: expect.stringContaining('This Idempotency-Key was used for another request.'),
    }
    expect(
      await made(async () => {
        expect(await place({ key, note: 'later' })).toMatchObject(refused)
        expect(await place({ key, path: '/orders?dry=1' })).toMatchObject(refused)
      }),
    ).toBe(0)
    const statuses = []
    for (const id of ['o1', 'o2']) {
      statuses.push((await change('DELETE', `/orders/${id}`, key)).status)
    }
    expect(statuses).toEqual([204, 422])
  })

  it('is another request where another caller sends it, or it is for another operation', async () => {
    const key = randomUUID()
    expect(
      await made(async () => {
        const answers = await Promise.all([place({ key }), place({ key, of: 'bob' })])
        expect(answers.map(({ status }) => status)).toEqual([201, 201])
      }),
    ).toBe(2)
    // Of one method, and of one path.
    expect((await change('DELETE', '/orders/o1', key)).status).toBe(204)
    expect((await change('PUT', '/orders/o1', key)).status).toBe(200)
    expect((await change('PUT', '/orders/o1/payment', key)).status).toBe(402)
  })

  it('is a new request after a day', async () => {
    const key = randomUUID()
    const one = await place({ key })
    advance('23h')
    expect(await place({ key })).toEqual(one)
    advance('1h')
    expect(await made(() => place({ key }))).toBe(1)
  })

  it('is forgotten after a day by a scheduled job', async () => {
    await place({ key: randomUUID() })
    const kept = () => database.db.$count(sql`svc_core.idempotency_keys`)
    await first.runScheduled('svc.forget-expired')
    expect(await kept()).toBeGreaterThan(0)
    advance('24h')
    await first.runScheduled('svc.forget-expired')
    expect(await kept()).toBe(0)
  })
})

describe('sixteen at once with one key', () => {
  it('R50: make one change over two instances, and all get its answer', async () => {
    const key = randomUUID()
    const servers = [first, second]
    const untilAnswered = async (at: number) => {
      for (;;) {
        const answer = await place({ key, server: servers[at % 2] as typeof first })
        if (answer.status !== 409) return answer
        expect(answer).toMatchObject({
          body: expect.stringContaining('RequestInProgressError'),
          kept: [null, null, '1'],
        })
      }
    }
    expect(
      await made(async () => {
        const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => untilAnswered(at)))
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(answers[0]).toMatchObject({ status: 201 })
      }),
    ).toBe(1)
  })

  it('do not wait for one that runs: they get 409, and hold no connection', async () => {
    const key = randomUUID()
    const running = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    then = () => {
      running.resolve()
      return held.promise
    }
    const one = place({ key })
    await running.promise
    const others = await Promise.all(Array.from({ length: 15 }, () => place({ key })))
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]))
    held.resolve()
    const answer = await one
    expect(answer.status).toBe(201)
    expect(await place({ key })).toEqual(answer)
  })
})

describe('a change that fails', () => {
  it('keeps nothing when it throws, so that a retry runs', async () => {
    const key = randomUUID()
    then = () => {
      throw new ConflictError({ message: 'Sold out.' })
    }
    expect(await made(() => place({ key }))).toBe(0)
    then = () => {}
    expect(
      await made(async () => expect(await place({ key })).toMatchObject({ status: 201 })),
    ).toBe(1)
  })

  it('keeps a refusal that it returns', async () => {
    const key = randomUUID()
    const pay = async () => {
      const answer = await change('PUT', '/orders/o1/payment', key)
      return [answer.status, await answer.json()]
    }
    const refused = await pay()
    expect(refused).toEqual([402, { tried: expect.any(Number) }])
    expect(await pay()).toEqual(refused)
  })

  it('may open no transaction of its own: it would stand, and ten at once would use up the pool', async () => {
    const { db } = first.infrastructure.database as { db: Db }
    const insert = sql`insert into orders (id, note) values (${randomUUID()}, 'beside')`
    then = () => db.transaction((tx) => tx.execute(insert))
    expect(
      await made(async () => {
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => place({ key: randomUUID() })),
        )
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]))
      }),
    ).toBe(0)
    expect(first.logged.map(({ err }) => (err as Error | undefined)?.message)).toContain(
      'The handler of an idempotent route runs in one transaction, and this would open a second one: use c.db, or enqueue a job that does it.',
    )
    // What runs after the commit is not of it.
    then = () => afterCommit(() => db.transaction((tx) => tx.execute(insert)))
    expect(await made(() => place({ key: randomUUID() }))).toBe(2)
  })

  it('keeps its answer if it is committed, and is committed if its answer is kept', async () => {
    const { pool } = database
    const key = randomUUID()
    await pool.query(`
      create function refuse_order() returns trigger language plpgsql as $$
      begin raise exception 'refused at commit'; end $$;
      create constraint trigger refuse_orders after insert on orders deferrable initially deferred
      for each row execute function refuse_order();`)
    expect(await made(() => place({ key }))).toBe(0)
    await pool.query('drop trigger refuse_orders on orders')
    await pool.query(
      'alter table svc_core.idempotency_keys add constraint refused check (status <> 201) not valid',
    )
    expect(await made(() => place({ key }))).toBe(0)
    await pool.query('alter table svc_core.idempotency_keys drop constraint refused')
    expect(await made(() => place({ key }))).toBe(1)
  })

  it('has one effect and one answer where its process dies before the commit, or after it (R50)', async () => {
    const key = randomUUID()
    const running = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    then = () => {
      running.resolve()
      return held.promise
    }
    const dying = await startTestServer(defineServer().routes(router), { env })
    const lost = place({ key, server: dying }).catch(() => null)
    await running.promise
    then = () => {}
    expect(await place({ key })).toMatchObject({ status: 409 })
    // As PostgreSQL sees the end of a process.
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where state = 'idle in transaction' and datname = current_database()`,
    )
    held.resolve()
    await lost
    await dying.kill()
    expect(await made(() => place({ key }))).toBe(1)

    const unread = randomUUID()
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const client = new AbortController()
    then = () => setImmediate(() => (client.abort(), resolve()))
    const headers = { 'content-type': 'application/json', 'x-visitor': 'ada' }
    const sent = first.fetch('/orders', {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': unread },
      body: JSON.stringify({ note: 'soon' }),
      signal: client.signal,
    })
    await Promise.allSettled([sent, answered])
    const again = async () => {
      for (;;) {
        const answer = await place({ key: unread })
        if (answer.status !== 409) return answer
      }
    }
    expect(await again()).toEqual(await again())
    const { rows } = await database.pool.query('select id from svc_core.idempotency_keys')
    expect(JSON.stringify(rows)).not.toContain(unread)
  })
})
