import { Type as t } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { defineServer } from '../definition/define-server.ts'
import type { Lifecycle } from '../definition/lifecycle.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { noRedis } from '../events/test-broadcast.ts'
import { defineJob, defineJobRouter } from '../jobs/jobs.ts'
import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'
import { openTestStream } from '../streams/test-stream.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const shipped = defineEvent('shipped', t.Object({ by: t.String() }))
const stranger = defineEvent('stranger', t.Object({ by: t.String() }))

const ran = vi.fn()
const mail = defineJob('mail')
  .input(t.Object({ by: t.String() }))
  .handler(async (input, { db }) => {
    ran('mail', input, db)
    await shipped.emit({ by: `a job of ${input.by}` })
  })
const stock = defineJob('stock')
  .on(shipped)
  .handler((input, { db }) => ran('stock', input, db))

// A job of one application on the event of both.
const parcel = defineJob('parcel')
  .on(shipped)
  .handler((input, { db }) => ran('parcel', input, db))

const heard = vi.fn()

/** An application of these parts. Both have the same event and jobs, as two of one package do. */
function application(name: string) {
  const body = t.Object({ by: t.String() })
  const routes = defineRouter({
    ship: route
      .post('/ship')
      .input({ body })
      .handler(async (c) => shipped.emit((await c.data()).body)),
    shipTogether: route
      .post('/ship-together')
      .input({ body })
      .handler(async (c) => {
        const { body: given } = await c.data()
        await c.db.transaction(() => shipped.emit(given))
      }),
    order: route
      .post('/order')
      .input({ body })
      .handler(async (c) => mail.enqueue((await c.data()).body)),
  })
  const lifecycle: Lifecycle = {
    name,
    afterInfrastructure() {
      const leave = shipped.subscribe((payload) => heard(name, payload))
      return async () => leave()
    },
  }
  return defineServer()
    .routes(routes)
    .events(defineEventRouter({ shipped }))
    .jobs(defineJobRouter({ mail, stock, ...(name === 'second' && { parcel }) }))
    .lifecycle(lifecycle)
}

const post = (server: TestServer, path: string, by: string) =>
  server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ by }),
  })

const payloadsOf = async (server: TestServer) => {
  const stream = await openTestStream(`${server.url}/events/stream?events=shipped`)
  return () => stream.payloads()
}

const quiet = () => new Promise((resolve) => setTimeout(resolve, 150))

describe.each([
  { cache: 'a cache for each', isShared: false },
  { cache: 'a Redis for each', isShared: true },
])('two applications in one process with $cache', ({ isShared }) => {
  const isSkipped = isShared && noRedis !== ''
  const caches: TestRedis[] = []
  let first: TestServer
  let second: TestServer

  beforeAll(async () => {
    if (isSkipped) return
    const start = async (name: string) => {
      const redis = isShared ? await startTestRedis() : undefined
      if (redis) caches.push(redis)
      const env = redis ? { CACHE_URL: redis.url } : {}
      return startTestServer(application(name), { env, database: true })
    }
    first = await start('first')
    second = await start('second')
  }, 60_000)
  beforeEach(() => {
    ran.mockClear()
    heard.mockClear()
  })
  afterAll(async () => {
    if (isSkipped) return
    await Promise.all([first.stop(), second.stop()])
    await Promise.all(caches.map((redis) => redis.stop()))
  })

  it.skipIf(isSkipped)('keep an emission to the streams and subscribers of its own', async () => {
    const [ofFirst, ofSecond] = [await payloadsOf(first), await payloadsOf(second)]
    for (const path of ['/ship', '/ship-together']) {
      await post(first, path, 'one')
      await post(second, path, 'two')
    }
    await vi.waitFor(() => expect([ofFirst().length, ofSecond().length]).toEqual([2, 2]))
    await quiet()
    expect(ofFirst()).toEqual([{ by: 'one' }, { by: 'one' }])
    expect(ofSecond()).toEqual([{ by: 'two' }, { by: 'two' }])
    expect(heard.mock.calls).toEqual([
      ['first', { by: 'one' }],
      ['second', { by: 'two' }],
      ['first', { by: 'one' }],
      ['second', { by: 'two' }],
    ])
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(6))
  })

  it.skipIf(isSkipped)('run the jobs of an emission in its own database', async () => {
    const answers = [await post(first, '/ship', 'one'), await post(second, '/ship-together', 'two')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(3))
    await quiet()
    const { db } = first.infrastructure.database ?? {}
    const other = second.infrastructure.database?.db
    expect(ran).toHaveBeenCalledTimes(3)
    expect(ran).toHaveBeenCalledWith('stock', { by: 'one' }, db)
    expect(ran).toHaveBeenCalledWith('stock', { by: 'two' }, other)
    expect(ran).toHaveBeenCalledWith('parcel', { by: 'two' }, other)
  })

  it.skipIf(isSkipped)('run a job in its own database, and what it emits there too', async () => {
    const [ofFirst, ofSecond] = [await payloadsOf(first), await payloadsOf(second)]
    await post(first, '/order', 'one')
    await vi.waitFor(() => expect(ofFirst()).toEqual([{ by: 'a job of one' }]))
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2))
    await quiet()
    const db = first.infrastructure.database?.db
    expect(ran.mock.calls).toEqual([
      ['mail', { by: 'one' }, db],
      ['stock', { by: 'a job of one' }, db],
    ])
    expect(ofSecond()).toEqual([])
  })

  it.skipIf(isSkipped)('refuse what does not say which of them is meant', async () => {
    await expect(shipped.emit({ by: 'nobody' })).rejects.toThrow(
      '2 servers run in this process, and it is not clear which emits event shipped.',
    )
    await expect(mail.enqueue({ by: 'nobody' })).rejects.toThrow(
      '2 servers of this process have the job mail.',
    )
    await expect(stranger.emit({ by: 'nobody' })).rejects.toThrow('event stranger')
    expect([heard.mock.calls, ran.mock.calls]).toEqual([[], []])
  })

  it.skipIf(isSkipped)('take what a transaction or within says is theirs', async () => {
    await first.infrastructure.database?.db.transaction(() => mail.enqueue({ by: 'one' }))
    await second.within(() => mail.enqueue({ by: 'two' }))
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(5))
    const databases = [first, second].map(({ infrastructure }) => infrastructure.database?.db)
    expect(ran).toHaveBeenCalledWith('mail', { by: 'one' }, databases[0])
    expect(ran).toHaveBeenCalledWith('mail', { by: 'two' }, databases[1])
  })

  it.skipIf(isSkipped)('both reach a handler that subscribed outside of them', async () => {
    const told: unknown[] = []
    const leave = shipped.subscribe((payload) => told.push(payload))
    await post(first, '/ship', 'one')
    await post(second, '/ship', 'two')
    await vi.waitFor(() => expect(told).toHaveLength(2))
    await quiet()
    leave()
    expect(told).toEqual([{ by: 'one' }, { by: 'two' }])
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(3))
  })
})

it('lets either of two instances of one application emit and enqueue for both', async () => {
  const definition = application('first')
  const one = await startTestServer(definition, { database: true })
  const url = one.infrastructure.database?.url
  const other = await startTestServer(definition, { env: { DATABASE_URL: url } })
  const streams = [await payloadsOf(one), await payloadsOf(other)]
  ran.mockClear()
  await shipped.emit({ by: 'a timer' })
  await mail.enqueue({ by: 'a timer' })
  await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(3))
  // Without a shared cache, an event stays with the instance that emits it.
  await vi.waitFor(() => expect(streams[1]?.()).toContainEqual({ by: 'a timer' }))
  expect(streams[0]?.()).not.toContainEqual({ by: 'a timer' })
  await other.stop()
  await one.stop()
})
