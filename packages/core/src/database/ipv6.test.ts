import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter, route } from '../routes/contract.ts'
import { relayToDatabase, withoutIPv6 } from '../testing/ipv6.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startTestServer } from '../testing/test-server.ts'

type Relay = Awaited<ReturnType<typeof relayToDatabase>>

const router = defineRouter({
  read: route.get('/read').handler(async ({ db }) => (await db.execute('select 1 as one')).rows),
  readStale: route
    .get('/read-stale')
    .stale()
    .handler(async ({ db }) => (await db.execute('select 1 as one')).rows),
})

describe.skipIf(withoutIPv6)(`a database at an address of IPv6${withoutIPv6}`, () => {
  let database: TestDatabase
  let relays: Relay[]
  let addressOf: (hosts: string, query?: string) => string
  beforeAll(async () => {
    database = await createTestDatabase()
    relays = [await relayToDatabase(database.url), await relayToDatabase(database.url)]
    const { username, password, pathname } = new URL(database.url)
    addressOf = (hosts, query = '') =>
      `postgres://${username}:${password}@${hosts}${pathname}${query}`
  })
  afterAll(async () => {
    for (const relay of relays) relay.stop()
    await database.drop()
  })

  const at = (which: number) => `[::1]:${relays[which]?.port}`

  /** What routes answer, and over which of the two addresses they are connected. */
  async function serve(env: Record<string, string>) {
    const server = await startTestServer(defineServer().database({}).routes(router), { env })
    onTestFinished(() => server.stop())
    const read = await (await server.fetch('/read')).json()
    const readStale = await (await server.fetch('/read-stale')).json()
    expect([read, readStale]).toEqual([[{ one: 1 }], [{ one: 1 }]])
    expect(await (await server.fetch('/_core/health')).json()).toMatchObject({ status: 'ok' })
    return relays.map((relay) => relay.connections() > 0)
  }

  it('is used, with brackets in its address', async () => {
    expect(await serve({ DATABASE_URL: addressOf(at(0)) })).toEqual([true, false])
  })

  it('is used where it is the one of several hosts that takes writes', async () => {
    const hosts = `[::1]:1,${at(1)}`
    expect(
      await serve({ DATABASE_URL: addressOf(hosts, '?target_session_attrs=primary') }),
    ).toEqual([false, true])
  })

  it('is used where ?host= has it without brackets', async () => {
    const query = `?host=::1&port=${relays[0]?.port}`
    expect(await serve({ DATABASE_URL: addressOf('', query) })).toEqual([true, false])
  })

  it('may be PostgreSQL’s own behind a pooler', async () => {
    const env = { DATABASE_URL: addressOf(at(0)), DATABASE_URL_DIRECT: addressOf(at(1)) }
    expect(await serve({ ...env, CACHE_URL: 'postgres:' })).toEqual([true, true])
  })

  it('may be the replica', async () => {
    const env = { DATABASE_URL: addressOf(at(0)), DATABASE_URL_REPLICA: addressOf(at(1)) }
    expect(await serve(env)).toEqual([true, true])
  })

  it('that does not answer is named with brackets', async () => {
    const starting = startTestServer(defineServer().database({}), {
      env: { DATABASE_URL: addressOf('[::1]:1') },
    })
    await expect(starting).rejects.toThrow('Nothing answers at [::1]:1: start PostgreSQL there')
  })
})
