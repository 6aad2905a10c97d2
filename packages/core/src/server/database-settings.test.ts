import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import {
  defineEvent,
  defineJob,
  defineJobRouter,
  defineMiddleware,
  defineRouter,
  defineServer,
  type HandlerContext,
  route,
  t,
} from '../index.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const scheme = { visitor: { type: 'apiKey', in: 'header', name: 'x-visitor' } }

/** Whose shop a request is in is in its header. */
const visitor = defineMiddleware(
  'visitor',
  (c, next) => {
    c.caller = 'ada'
    const shop = c.req.header('x-shop')
    if (shop) c.databaseSettings = { 'test.shop': shop }
    return next()
  },
  { documents: { credentials: [scheme] } },
)

const read = sql`select coalesce(current_setting('test.shop', true), '') as shop`

async function shopOf(c: HandlerContext) {
  const once = (await c.db.execute(read)).rows[0]
  const again = await c.db.transaction(async (tx) => (await tx.execute(read)).rows[0])
  return { once: once?.shop, again: again?.shop }
}

/** The shop of each run of the job, by the name of the run. */
const ran = new Map<string, unknown>()
const shopOpened = defineEvent('settings.shop-opened', t.Object({ runs: t.Array(t.String()) }))

const readShop = defineJob('settings.read-shop')
  .input(t.Object({ runs: t.Array(t.String()) }))
  .on(shopOpened)
  .cron('0 0 1 1 *')
  .handler(async (input, { db }) => {
    const [run = 'scheduled', ...more] = input?.runs ?? []
    const { rows } = await db.transaction((tx) => tx.execute(read))
    ran.set(run, [(await db.execute(read)).rows[0]?.shop, rows[0]?.shop])
    if (more.length > 0) await readShop.enqueue({ runs: more })
  })

const body = t.Object({ runs: t.Array(t.String()) })
const enqueue = async (c: HandlerContext<{ body: typeof body }>) => {
  await readShop.enqueue((await c.data()).body)
  return {}
}

const router = defineRouter({
  enqueue: route.post('/jobs').input({ body }).handler(enqueue),
  enqueueOnce: route.post('/jobs/once').input({ body }).idempotent().handler(enqueue),
  enqueueByEvent: route
    .post('/jobs/event')
    .input({ body })
    .handler(async (c) => {
      await shopOpened.emit((await c.data()).body)
      return {}
    }),
  enqueueInTransaction: route
    .post('/jobs/transaction')
    .input({ body })
    .handler(async (c) => {
      const input = (await c.data()).body
      await c.db.transaction(() => readShop.enqueue(input))
      return {}
    }),
  plain: route.get('/plain').handler(shopOf),
  stale: route.get('/stale').stale().handler(shopOf),
  idempotent: route.post('/idempotent').idempotent().handler(shopOf),
}).use([visitor])

const database = await createTestDatabase()
const server = await startTestServer(
  defineServer().routes(router).jobs(defineJobRouter({ readShop })),
  {
    env: { DATABASE_URL: database.url, SVC_MIGRATE: 'apply', SVC_DATABASE_CONNECTIONS: '2' },
  },
)
afterAll(async () => {
  await server.stop()
  await database.drop()
})

async function ask([method, path]: [string, string], name?: string, given?: object) {
  const answer = await server.fetch(path, {
    method,
    headers: {
      ...(name && { 'x-shop': name }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(given && { 'content-type': 'application/json' }),
    },
    ...(given && { body: JSON.stringify(given) }),
  })
  return answer.json()
}

describe('the settings of a request', () => {
  it.each<[string, string]>([
    ['GET', '/plain'],
    ['GET', '/stale'],
    ['POST', '/idempotent'],
  ])('are those of c.db in %s %s, and of no other request on its connection', async (...at) => {
    expect(await ask(at, 'ours')).toEqual({ once: 'ours', again: 'ours' })
    expect(await ask(at)).toEqual({ once: '', again: '' })
    expect(await ask(at, 'theirs')).toEqual({ once: 'theirs', again: 'theirs' })
    expect(await ask(at)).toEqual({ once: '', again: '' })
  })
})

describe('a job', () => {
  it.each(['/jobs', '/jobs/once', '/jobs/event', '/jobs/transaction'])(
    'that POST %s enqueues has the settings of the request, and so have the jobs that it enqueues',
    async (path) => {
      const [first, second, outside, last] = Array.from({ length: 4 }, () => randomUUID()) as [
        string,
        string,
        string,
        string,
      ]
      await ask(['POST', path], 'ours', { runs: [first, second] })
      await ask(['POST', path], undefined, { runs: [outside, last] })
      await expect
        .poll(() => [first, second, outside, last].map((run) => ran.get(run)))
        .toEqual([
          ['ours', 'ours'],
          ['ours', 'ours'],
          ['', ''],
          ['', ''],
        ])
    },
  )

  it('that was scheduled, or enqueued by an earlier release, has none', async () => {
    await server.runScheduled('settings.read-shop')
    expect(ran.get('scheduled')).toEqual(['', ''])
  })
})
