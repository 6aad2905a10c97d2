import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectCache } from '../../cache/server.ts'
import { startTestRedis, type TestRedis } from '../../cache/test-redis.ts'
import { noRedis } from '../../events/test-broadcast.ts'
import { defineServer } from '../../index.ts'
import { createLogger } from '../../observation/logger.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { openTestStream } from '../test-stream.ts'
import { closers, soon, start, subjects, testShared, useInstances, walk } from './test-inspector.ts'

useInstances()

describe('the streams of a server', () => {
  it('are listed with whose they are, the newest first', async () => {
    const server = await start()
    const openedAt = server.clock.now()
    await server.open('ann', { key: 'a1', events: 'tick' })
    await server.openSocket('bob', 'b1')
    const list = await server.streams.list()
    expect(list).toEqual({
      streams: [
        {
          id: expect.stringMatching(/^[\da-z-]+$/),
          kind: 'websocket',
          subject: 'bob',
          owner: 'bob',
          credential: 'b1',
          events: ['tick', 'tock'],
          openedAt: new Date(openedAt.getTime() + 1000).toISOString(),
          address: '127.0.0.1',
          waitingBytes: 0,
          instance: expect.stringMatching(/^[\da-f]{8}$/),
        },
        expect.objectContaining({
          kind: 'sse',
          subject: 'ann',
          credential: 'a1',
          events: ['tick'],
          openedAt: openedAt.toISOString(),
        }),
      ],
      total: 2,
      isShared: false,
      instances: { answered: 1, asked: 1 },
    })
  })

  it('are listed where every client may open one', async () => {
    const server = await start({}, { auth: { enabled: false } })
    await openTestStream(`${server.url}/events/stream?events=tick`)
    const { streams, total } = await server.streams.list()
    expect(total).toBe(1)
    expect(streams[0]).not.toHaveProperty('subject')
    expect(streams[0]).not.toHaveProperty('owner')
  })

  it('are listed by account and by subject', async () => {
    const getSubject = (c: { raw: { req: { header: (name: string) => string | undefined } } }) =>
      `team-of-${c.raw.req.header('x-user')}`
    const server = await start({}, { auth: { enabled: true, getSubject } })
    await server.open('ann')
    await server.open('bob')
    expect(await server.streams.list({ owner: 'ann' })).toMatchObject({
      streams: [{ subject: 'team-of-ann', owner: 'ann' }],
      total: 1,
    })
    expect(subjects(await server.streams.list({ subject: 'team-of-bob' }))).toEqual(['team-of-bob'])
    const both = { owner: 'ann', subject: 'team-of-bob' }
    expect(await server.streams.list(both)).toMatchObject({ streams: [], total: 0 })
  })

  it('are listed page by page: 20 unless told, and 100 at most', async () => {
    const server = await start()
    const open = Array.from({ length: 103 }, (_, at) => at)
    for (const at of open) await server.open(`u${at}`)
    const newestFirst = open.map((at) => `u${at}`).toReversed()
    const first = await server.streams.list()
    expect(subjects(first)).toEqual(newestFirst.slice(0, 20))
    expect(first.total).toBe(103)
    expect((await server.streams.list({ limit: 5000 })).streams).toHaveLength(100)
    const pages = await walk((after) => server.streams.list({ limit: 25, after }))
    expect(pages.map(({ streams }) => streams.length)).toEqual([25, 25, 25, 25, 3])
    expect(pages.flatMap(subjects)).toEqual(newestFirst)
    expect((await server.streams.list({ after: 'no-such-place' })).streams).toHaveLength(20)
  })

  it('are listed once on the way, also those of one moment while others come', async () => {
    const server = await start()
    vi.spyOn(server.clock, 'now').mockReturnValue(server.clock.now())
    for (let at = 0; at < 5; at++) await server.open(`u${at}`)
    const first = await server.streams.list({ limit: 2 })
    await server.open('late')
    const second = await server.streams.list({ limit: 2, after: first.next })
    const third = await server.streams.list({ limit: 2, after: second.next })
    expect([first, second, third].flatMap(subjects)).toEqual(['u4', 'u3', 'u2', 'u1', 'u0'])
    expect(third.next).toBeUndefined()
    // A page that is full may be the last.
    expect((await server.streams.list({ limit: 6 })).next).toBeUndefined()
    expect((await server.streams.list({ limit: 5 })).next).toBeDefined()
  })

  it('are listed with what waits for a client that does not read', async () => {
    const server = await start()
    const socket = await server.openSocket('ann')
    socket.ws.pause()
    const text = 'x'.repeat(100_000)
    await vi.waitFor(async () => {
      await server.tick.emit({ text })
      const { streams } = await server.streams.list()
      expect(streams[0]?.waitingBytes).toBeGreaterThan(0)
    }, soon)
    socket.leave()
  })

  it('are none of those that are being opened, or have ended', async () => {
    const server = await start({}, { auth: { enabled: true, authorize: () => wait(100, []) } })
    const opening = server.open('ann').catch(() => {})
    await wait(50)
    expect(await server.streams.list()).toMatchObject({ streams: [], total: 0 })
    expect(await server.streams.list({ owner: 'ann' })).toMatchObject({ streams: [], total: 0 })
    await opening
    expect(await server.streams.list()).toMatchObject({ streams: [], total: 0 })
  })

  it('are found by id, and end one by one', async () => {
    const server = await start()
    const [stream, other] = [await server.open('ann'), await server.open('ann')]
    const socket = await server.openSocket('ann')
    const [newest, , oldest] = (await server.streams.list()).streams
    expect(await server.streams.find(oldest?.id ?? '')).toEqual(oldest)
    expect(await server.streams.endOne(oldest?.id ?? '')).toEqual(oldest)
    expect(await stream.ended).toBe('ended')
    expect(await server.streams.endOne(newest?.id ?? '')).toEqual(newest)
    expect(await socket.closed).toEqual({ code: 1008, reason: 'ended by an operator' })
    expect(await server.streams.endOne(oldest?.id ?? '')).toBeNull()
    expect(await server.streams.find(oldest?.id ?? '')).toBeNull()
    expect((await server.streams.list()).total).toBe(1)
    // The same moment and number, of an instance that is gone.
    const ofAnother = (await server.streams.list()).streams[0]?.id.replace(/-.*-/, '-ffffffff-')
    expect(await server.streams.endOne(ofAnother ?? '')).toBeNull()
    expect((await server.streams.list()).total).toBe(1)
    other.close()
  })

  it.each(['', 'nonsense', 'a-b-c', '0-00000000-1', `${'z'.repeat(9)}-ffffffff-${'z'.repeat(9)}`])(
    'do not end by %j, which names none',
    async (id) => {
      const server = await start()
      await server.open('ann')
      expect(await server.streams.endOne(id)).toBeNull()
      expect((await server.streams.list()).total).toBe(1)
    },
  )

  it('are none where there are none', async () => {
    const server = await startTestServer(defineServer())
    closers.push(server.stop)
    const { streams } = server.infrastructure
    expect(await streams.list()).toEqual({
      streams: [],
      total: 0,
      isShared: false,
      instances: { answered: 1, asked: 1 },
    })
    expect(await streams.endOne('0-00000000-1')).toBeNull()
  })
})

describe.skipIf(noRedis)(`the streams of several instances over Redis${noRedis}`, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterAll(() => redis.stop())
  const env = () => ({ CACHE_URL: redis.url })

  testShared({ env, asked: (instances) => ({ asked: instances }) })

  /** An instance that hears what it is asked, and says nothing. */
  async function startSilent() {
    const cache = await connectCache(redis.url, { log: createLogger({ level: 'silent' }) })
    closers.push(() => cache.close())
    await cache.subscribe('svc:sse:~streams', () => {})
  }

  it('are listed within bounded time when one says nothing, and that is said', async () => {
    const server = await start(env())
    await server.open('ann')
    await startSilent()
    const began = performance.now()
    const list = await server.streams.list()
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(performance.now() - began).toBeLessThan(3000)
    expect(list).toMatchObject({ total: 1, instances: { answered: 1, asked: 2 } })
  })

  it('are no more than busy where the one that has them says nothing', async () => {
    const server = await start(env())
    await startSilent()
    await expect(server.streams.endOne('0-00000000-1')).rejects.toMatchObject({ status: 503 })
  })

  it('end at once where they are, though another instance says nothing', async () => {
    const [here, there] = [await start(env()), await start(env())]
    const stream = await there.open('ann')
    const [shown] = (await there.streams.list()).streams
    await startSilent()
    const began = performance.now()
    expect(await here.streams.endOne(shown?.id ?? '')).toEqual(shown)
    expect(performance.now() - began).toBeLessThan(900)
    expect(await stream.ended).toBe('ended')
  })

  it('are listed at once when all have answered', async () => {
    const [here, there] = [await start(env()), await start(env())]
    await there.open('ann')
    const began = performance.now()
    for (let time = 0; time < 5; time++) await here.streams.list()
    expect(performance.now() - began).toBeLessThan(2500)
  })

  it('leave no channel behind when they were listed', async () => {
    const [here, there] = [await start(env()), await start(env())]
    await here.streams.list()
    await there.streams.list()
    const cache = await connectCache(redis.url, { log: createLogger({ level: 'silent' }) })
    closers.push(() => cache.close())
    const { Redis } = await import('ioredis')
    const admin = new Redis(redis.url)
    await vi.waitFor(async () => {
      const channels = (await admin.pubsub('CHANNELS', '*~streams*')) as string[]
      expect(channels).toEqual(['svc:sse:~streams'])
    }, soon)
    admin.disconnect()
  })

  it('are refused as unavailable while Redis is down, and its own still end', async () => {
    const server = await start(env())
    const stream = await server.open('ann')
    const [shown] = (await server.streams.list()).streams
    await redis.kill()
    await expect(server.streams.list()).rejects.toMatchObject({ status: 503 })
    await expect(server.streams.endOne('0-00000000-1')).rejects.toMatchObject({ status: 503 })
    expect(await server.streams.endOne(shown?.id ?? '')).toEqual(shown)
    expect(await stream.ended).toBe('ended')
    await redis.restart()
    await vi.waitFor(async () => expect((await server.streams.list()).total).toBe(0), {
      timeout: 10_000,
      interval: 100,
    })
  }, 30_000)
})
