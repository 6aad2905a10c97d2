import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentTransaction } from '../database/transaction.ts'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { Cache } from './cache.ts'
import { openMessages } from './postgres-messages.ts'
import { Position } from './postgres-position.ts'
import { openStatements } from './postgres-statements.ts'
import { sweep } from './postgres-sweep.ts'
import { connectCache, coreMigrations } from './server.ts'

const log = createLogger({ level: 'silent' })
const minute = 60_000

let database: TestDatabase
let here: Cache
let there: Cache

beforeAll(async () => {
  database = await createTestDatabase({ sources: [coreMigrations] })
})
afterAll(() => database.drop())
beforeEach(async () => {
  here = await connectCache('postgres:', { log, database })
  there = await connectCache('postgres:', { log, database })
})
afterEach(() => Promise.all([here.close(), there.close()]))

async function heardBy(cache: Cache, channel: string) {
  const got: string[] = []
  await cache.subscribe(channel, (message) => got.push(message))
  return got
}

describe('a message', () => {
  it('is not lost when its row commits after later ones, and comes once (E-025)', async () => {
    const got = await heardBy(there, 'news')
    const slow = new Client({ connectionString: database.url })
    await slow.connect()
    await slow.query('begin')
    await slow.query(`insert into svc_core.messages (channel, message) values ('news', 'early')`)
    await here.publish('news', 'late')
    await vi.waitFor(() => expect(got).toEqual(['late']))
    await wait(500)
    await slow.query('commit')
    await slow.end()
    await vi.waitFor(() => expect(got).toEqual(['late', 'early']), 2000)
    await wait(1500)
    expect(got).toHaveLength(2)
  })

  it('keeps its place among those of its instance while two publish at once', async () => {
    const each = Array.from({ length: 2000 }, (_, at) => at)
    const got = await heardBy(there, 'news')
    const publish = (cache: Cache, name: string) =>
      each.map((at) => cache.publish('news', `${name} ${at}`))
    await Promise.all([...publish(here, 'here'), ...publish(there, 'there')])
    await vi.waitFor(() => expect(got).toHaveLength(4000), 5000)
    for (const name of ['here', 'there']) {
      const own = got.filter((message) => message.startsWith(`${name} `))
      expect(own).toEqual(each.map((at) => `${name} ${at}`))
    }
  })

  it('may be of any size and of any characters', async () => {
    const got = await heardBy(there, 'news\0')
    const long = `"\\{}\0\u0001\u00010열🔑`.repeat(80_000)
    expect(Buffer.byteLength(long)).toBeGreaterThan(1_000_000)
    await here.publish('news\0', long)
    await vi.waitFor(() => expect(got).toHaveLength(1), 5000)
    expect(got[0] === long).toBe(true)
  })

  it('is not taken back with the transaction that it was published in', async () => {
    const got = await heardBy(there, 'news')
    const failed = database.db.transaction(async () => {
      await here.publish('news', 'out')
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await vi.waitFor(() => expect(got).toEqual(['out']))
  })

  it('reaches handlers outside the transaction in which one subscribes', async () => {
    const seen: unknown[] = []
    await there.subscribe('news', () => seen.push(currentTransaction()))
    await database.db.transaction(async () => {
      for (let at = 0; at < 20; at++) {
        await here.publish('news', 'one')
        await there.subscribe('other', () => {})
      }
      await vi.waitFor(() => expect(seen).toEqual(Array(20).fill(null)))
    })
  })

  it('from before a subscription does not reach it, and every one from then on does', async () => {
    for (let at = 0; at < 50; at++) {
      await here.publish(`news ${at}`, 'before')
      const got = await heardBy(there, `news ${at}`)
      await here.publish(`news ${at}`, 'after')
      await vi.waitFor(() => expect(got).toEqual(['after']))
    }
  })

  it('of a channel without a subscriber here is not fetched', async () => {
    const calls = { wake: () => {}, lost: () => {} }
    const messages = await openMessages(database.url, calls)
    await here.publish('other', 'x')
    await here.publish('news', 'y')
    const read = await messages.read(['news'])
    expect(read).toEqual({ messages: [{ channel: 'news', message: 'y' }], hasMore: false })
    expect(await messages.read(['other', 'news'])).toMatchObject({ messages: [] })
    messages.close()
  })

  it('is counted where this process hears it', async () => {
    await heardBy(here, 'news')
    expect(await here.publish('news', 'x')).toBe(1)
    expect(await there.publish('news', 'x')).toBe(0)
  })
})

function endListeners() {
  return database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'svc listener' and datname = current_database()`,
  )
}

describe('the listening connection', () => {
  it('is back within 5 s when it was ended, and says meanwhile that it is down', async () => {
    const got = await heardBy(there, 'news')
    expect(there.isListening).toBe(true)
    // It may be back before a message is out: then once more.
    await vi.waitFor(async () => {
      await endListeners()
      await vi.waitFor(() => expect(there.isListening).toBe(false), { interval: 1 })
      expect(await there.publish('news', 'meanwhile')).toBe(0)
    }, 5000)
    await vi.waitFor(() => expect(there.isListening).toBe(true), 5000)
    await here.publish('news', 'again')
    await vi.waitFor(() => expect(got.at(-1)).toBe('again'))
  })
})

describe('values', () => {
  it('are at hand while transactions hold every connection of the application', async () => {
    const { max } = database.pool.options
    let open = 0
    const done = Array.from({ length: max }, (_, at) =>
      database.db.transaction(async () => {
        open++
        await vi.waitFor(() => expect(open).toBe(max), 5000)
        await here.set(`key ${at}`, 'value', minute)
      }),
    )
    await Promise.all(done)
    expect(await there.get('key 0')).toBe('value')
  })

  it('are not written later when their writer was refused behind a lock', async () => {
    await here.increment('count', minute)
    const holder = await database.pool.connect()
    await holder.query('begin; update svc_core.cache_entries set value = value')
    await expect(here.increment('count', minute)).rejects.toMatchObject({ status: 503 })
    await wait(200)
    await holder.query('commit')
    holder.release()
    await wait(200)
    expect(await here.increment('count', minute)).toBe(2)
  })

  it('have keys that no dump of the database shows', async () => {
    await here.set('sse:token:secret', 'value', minute)
    const { rows } = await database.pool.query('select * from svc_core.cache_entries')
    expect(JSON.stringify(rows)).not.toContain('secret')
  })
})

describe('the sweep', () => {
  it('deletes what is over, and nothing else, beside others that sweep', async () => {
    const statements = openStatements(database.url)
    await database.pool.query(`
      truncate svc_core.cache_entries, svc_core.messages;
      insert into svc_core.cache_entries
      select int4send(n), 'x', now() + interval '1 minute' * (n - 4999.5) from generate_series(1, 5010) n;
      insert into svc_core.messages (channel, message, created_at)
      select 'x', n, now() - case when n < 5000 then interval '61 s' else interval '1 s' end
      from generate_series(0, 5009) n`)
    await Promise.all([sweep(statements), sweep(statements), sweep(statements)])
    await sweep(statements)
    const left = `
      select (select count(*) from svc_core.cache_entries) as entries,
        (select count(*) from svc_core.messages) as messages`
    expect((await database.pool.query(left)).rows).toEqual([{ entries: 11, messages: 10 }])
    await statements.close()
  })
})

describe('a position', () => {
  it('looks for what was skipped for 5 s', () => {
    const position = new Position(10)
    position.pass(13, 0)
    expect([position.last, position.missing(4999)]).toEqual([13, [11, 12]])
    position.pass(11, 4999)
    expect(position.missing(4999)).toEqual([12])
    expect(position.missing(5000)).toEqual([])
  })

  it('does not look for more than could be under way', () => {
    const position = new Position(0)
    position.pass(1_000_000, 0)
    position.pass(1_100_000, 0)
    expect(position.missing(0)).toHaveLength(10_000)
    expect(position.missing(0).at(-1)).toBe(1_099_999)
  })
})
