import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import {
  defineMiddleware,
  defineRouter,
  defineServer,
  type HandlerContext,
  route,
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

async function shopOf(c: HandlerContext) {
  const read = sql`select coalesce(current_setting('test.shop', true), '') as shop`
  const once = (await c.db.execute(read)).rows[0]
  const again = await c.db.transaction(async (tx) => (await tx.execute(read)).rows[0])
  return { once: once?.shop, again: again?.shop }
}

const router = defineRouter({
  plain: route.get('/plain').handler(shopOf),
  stale: route.get('/stale').stale().handler(shopOf),
  idempotent: route.post('/idempotent').idempotent().handler(shopOf),
}).use([visitor])

const database = await createTestDatabase()
const server = await startTestServer(defineServer().routes(router), {
  env: { DATABASE_URL: database.url, SVC_MIGRATE: 'apply', SVC_DATABASE_CONNECTIONS: '2' },
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

async function ask([method, path]: [string, string], name?: string) {
  const answer = await server.fetch(path, {
    method,
    headers: {
      ...(name && { 'x-shop': name }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
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
