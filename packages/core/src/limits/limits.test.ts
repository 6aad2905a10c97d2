import { afterAll, describe, expect, it } from 'vitest'
import {
  defineMiddleware,
  defineRouter,
  defineServer,
  openApi,
  perHour,
  perMinute,
  route,
  routeTable,
  t,
} from '../index.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const scheme = { visitor: { type: 'apiKey', in: 'header', name: 'x-visitor' } }
const visitor = defineMiddleware(
  'visitor',
  (c, next) => {
    c.caller = c.req.header('x-visitor')
    return next()
  },
  { documents: { credentials: [scheme] } },
)

/** Which shop a request is in is in its header. */
const inShop = defineMiddleware(
  'in shop',
  (c, next) => {
    c.tenant = c.req.header('x-shop')
    return next()
  },
  { documents: { tenant: 'shop' } },
)

const router = defineRouter({
  ours: route
    .get('/ours')
    .use([visitor, inShop])
    .limit(perMinute(2), 'by tenant')
    .handler(() => 'ours'),
  ask: route
    .post('/ask')
    .input({ body: t.Object({ of: t.String() }) })
    .limit(perMinute(3), 'by address')
    .handler(() => 'asked'),
  mine: route
    .get('/mine')
    .use([visitor])
    .limit(perMinute(4), 'by caller')
    .limit(perHour(5), 'by caller')
    .handler(() => 'mine'),
})
const definition = defineServer().routes(router)
const on = { SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' }
type Server = Awaited<ReturnType<typeof startTestServer>>

const ask = (server: Server, from: string, body = '{"of":"x"}') =>
  server.fetch('/ask', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body,
  })
const mine = (server: Server, of: string) =>
  server.fetch('/mine', { headers: { 'x-visitor': of } }).then(({ status }) => status)

const ours = (server: Server, shop: string, of: string) =>
  server
    .fetch('/ours', { headers: { 'x-visitor': of, 'x-shop': shop } })
    .then(({ status }) => status)

const sorted = (statuses: number[]) => statuses.toSorted((one, other) => one - other)

const database = await createTestDatabase()
const env = { ...on, DATABASE_URL: database.url, SVC_MIGRATE: 'apply' }
const first = await startTestServer(definition, { env })
const second = await startTestServer(definition, { env })
const alone = await startTestServer(definition, { env: on })
afterAll(async () => {
  await Promise.all([first.stop(), second.stop(), alone.stop()])
  await database.drop()
})

describe('a route with a limit', () => {
  it('lets exactly so many of sixteen at once through, over two instances', async () => {
    const servers = [first, second]
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => ask(servers[at % 2] as Server, '192.0.2.1')),
    )
    const statuses = sorted(answers.map(({ status }) => status))
    expect(statuses).toEqual([200, 200, 200, ...Array.from({ length: 13 }, () => 429)])
  })

  it('refuses with 429 and the time, before the body is read, until its window ends', async () => {
    for (let at = 0; at < 3; at += 1) expect((await ask(first, '192.0.2.2')).status).toBe(200)
    first.clock.advance('20s')
    const refused = await ask(first, '192.0.2.2', 'no JSON')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    expect(await refused.json()).toMatchObject({
      error: { code: 'TooManyRequestsError' },
      retryAfter: 40,
    })
    expect((await ask(first, '192.0.2.3')).status).toBe(200)
    first.clock.advance('40s')
    expect((await ask(first, '192.0.2.2')).status).toBe(200)
  })

  it('counts the addresses of one IPv6 network as one', async () => {
    const devices = Array.from({ length: 5 }, (_, at) => `2001:db8:0:7::${at + 1}`)
    const answers = await Promise.all(devices.map((address) => ask(second, address)))
    expect(sorted(answers.map(({ status }) => status))).toEqual([200, 200, 200, 429, 429])
  })

  it('counts callers each for themselves, and holds each of its limits', async () => {
    const statuses = []
    for (let at = 0; at < 5; at += 1) statuses.push(await mine(first, 'ada'))
    expect([statuses, await mine(second, 'bob')]).toEqual([[200, 200, 200, 200, 429], 200])
    first.clock.advance('1m')
    // The hour has counted four: the fifth was refused before.
    expect([await mine(first, 'ada'), await mine(first, 'ada')]).toEqual([200, 429])
  })

  it('counts all callers of a tenant together, and those of another one apart', async () => {
    const statuses = [
      await ours(first, 'north', 'ada'),
      await ours(second, 'north', 'bob'),
      await ours(first, 'north', 'cy'),
      await ours(first, 'south', 'ada'),
    ]
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('is refused at boot by tenant where no middleware says of which', () => {
    const loose = route.get('/x').use([visitor]).limit(perMinute(1), 'by tenant')
    expect(() => routeTable(defineRouter({ loose: loose.handler(() => 'x') }))).toThrow(
      /"loose" \(GET \/x\) has a limit 'by tenant', and no middleware sets c.tenant/,
    )
  })

  it('counts in the memory of its process where it has no database', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(alone, '192.0.2.9')))
    expect(sorted(answers.map(({ status }) => status))).toEqual([200, 200, 200, 429])
  })

  it('counts what it has refused in its process by its name, and keeps no address', async () => {
    const server = await startTestServer(definition, { env: on })
    for (let at = 0; at < 5; at += 1) await ask(server, '192.0.2.8')
    const lastAt = server.clock.now().toISOString()
    expect(server.infrastructure.limitHits.list()).toEqual({
      since: lastAt,
      hits: [{ limit: 'POST /ask by address', count: 2, lastAt }],
    })
    await server.stop()
  })

  it('keeps no address and no caller', async () => {
    const { rows } = await database.pool.query('select * from svc_core.attempts')
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|2001:db8|ada|bob/)
  })

  it('is counted no longer than its window: a scheduled job forgets it', async () => {
    first.clock.advance('2h')
    await first.runScheduled('svc.forget-expired')
    expect((await database.pool.query('select from svc_core.attempts')).rowCount).toBe(0)
  })

  it('is in the OpenAPI document with its number and its refusal', () => {
    const { paths } = openApi(routeTable(router), { title: 'x', version: '1' })
    expect(paths['/ask']?.post).toMatchObject({
      description: 'At most 3 calls a minute from each address.',
      security: [],
      responses: { 429: expect.anything(), 503: expect.anything() },
    })
  })

  it('is refused at boot where it counts callers and lets in everyone', () => {
    const open = route.get('/open').limit(perMinute(1), 'by caller')
    expect(() => routeTable(defineRouter({ open: open.handler(() => 1) }))).toThrow(
      /"open" \(GET \/open\) has a limit 'by caller', and needs to know its caller/,
    )
  })

  it('is refused at boot with two limits of one window that count the same', () => {
    const twice = route.get('/twice').limit(perMinute(5), 'by address')
    const booted = (limit: ReturnType<typeof perMinute>, by: 'by address' | 'by caller') => {
      const both = twice
        .use([visitor])
        .limit(limit, by)
        .handler(() => 1)
      return () => routeTable(defineRouter({ twice: both }))
    }
    for (const limit of [perMinute(50), perMinute(5)]) {
      expect(booted(limit, 'by address')).toThrow(
        /"twice" \(GET \/twice\) has two limits with the same window and the same 'by'/,
      )
    }
    expect(booted(perHour(5), 'by address')).not.toThrow()
    expect(booted(perMinute(5), 'by caller')).not.toThrow()
  })

  it('is shut while the counts cannot be reached, and open where limits are off', async () => {
    const off = await startTestServer(definition)
    for (let at = 0; at < 6; at += 1) expect((await ask(off, '192.0.2.4')).status).toBe(200)
    await off.stop()
    const production = startTestServer(definition, {
      env: { NODE_ENV: 'production', SVC_RATE_LIMIT: 'off' },
    })
    await expect(production).rejects.toThrow('SVC_RATE_LIMIT cannot be off in production')
    const down = await startTestServer(definition, { env })
    await down.infrastructure.database?.pool.end()
    expect((await ask(down, '192.0.2.5')).status).toBe(503)
    await down.stop().catch(() => {})
  })
})
