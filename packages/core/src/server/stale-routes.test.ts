import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestPair, type TestPair } from '../database/test-pair.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter, route } from '../routes/contract.ts'
import type { HandlerContext } from '../routes/routes.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

async function where(c: HandlerContext) {
  const { rows } = await c.db.execute(sql`select pg_is_in_recovery() as "atReplica"`)
  return rows[0]
}

const definition = defineServer()
  .healthCheck({ detailed: true })
  .routes(
    defineRouter({
      fresh: route.get('/fresh').handler(where),
      stale: route.get('/stale').stale().handler(where),
      writes: route
        .get('/writes')
        .stale()
        .handler(async (c) => {
          await c.db.execute(sql`create table written ()`)
          return {}
        }),
    }),
  )

let pair: TestPair
let server: TestServer

beforeAll(async () => {
  pair = await startTestPair()
  const env = { DATABASE_URL: pair.primaryUrl, DATABASE_URL_REPLICA: pair.standbyUrl }
  server = await startTestServer(definition, { env })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await pair.stop()
})

async function get(path: string, at = server) {
  const answer = await at.fetch(path)
  return { status: answer.status, body: await answer.json() }
}

describe('a route that is declared stale()', () => {
  it('reads from the replica, and no other route does', async () => {
    expect((await get('/stale')).body).toEqual({ atReplica: true })
    expect((await get('/fresh')).body).toEqual({ atReplica: false })
  })

  it('that writes is a fault of the program, told in the log, also where there is no replica', async () => {
    const alone = await startTestServer(definition, { env: { DATABASE_URL: pair.primaryUrl } })
    for (const at of [server, alone]) {
      expect((await get('/writes', at)).status).toBe(500)
      expect(JSON.stringify(at.logged)).toContain('.stale() route can only read')
    }
    expect((await get('/stale', alone)).body).toEqual({ atReplica: false })
    const { body } = await get('/_core/health', alone)
    expect(body.services).toEqual({ database: 'up' })
    await alone.stop()
  })

  it('is a GET, or the server does not start', async () => {
    const router = defineRouter({
      change: route
        .post('/change')
        .stale()
        .handler(() => ({})),
    })
    await expect(startTestServer(defineServer().routes(router))).rejects.toThrow(
      'Route "change" (POST /change) is .stale(), which only a GET may be.',
    )
  })

  it('goes on while the replica is down: health tells it, and the server stays ready', async () => {
    expect(await get('/_core/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', services: { database: 'up', replica: 'up' } },
    })
    await pair.killStandby()
    expect(await get('/stale')).toEqual({ status: 200, body: { atReplica: false } })
    await vi.waitFor(async () =>
      expect(await get('/_core/health/ready')).toMatchObject({
        status: 200,
        body: { status: 'ok', services: { database: 'up', replica: 'down' } },
      }),
    )
  })

  it('has a primary: DATABASE_URL_REPLICA alone is refused', async () => {
    const env = { DATABASE_URL: '', DATABASE_URL_REPLICA: pair.standbyUrl }
    await expect(startTestServer(definition, { env })).rejects.toThrow(
      'DATABASE_URL_REPLICA is a replica of a database',
    )
  })
})
