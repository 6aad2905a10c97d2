import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../definition/define-server.ts'
import { createLogger } from '../../observation/logger.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { connectCache } from '../server.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../test-redis.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const minute = 60_000

let stops: (() => Promise<unknown>)[] = []
let lines: { msg: string }[] = []
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
  lines = []
})

const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })
const said = (text: string) => lines.filter(({ msg }) => msg === text).length

async function startRedis(...flags: string[]) {
  const server = await startTestRedis(...flags)
  stops.push(() => server.stop())
  return server
}

async function open(url: string) {
  const cache = await connectCache(url, { log })
  stops.push(() => cache.close())
  return cache
}

/** The sentence that a start is refused with. */
async function refusal(url: string) {
  const error = await connectCache(url, { log }).then(
    (cache) => cache.close(),
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'CacheConnectionError' })
  return error instanceof Error ? error.message : ''
}

/** How a server comes to refuse writes, and takes them again. */
const faults = {
  'is full and evicts nothing': {
    begin: (server: TestRedis) => server.call('CONFIG', 'SET', 'maxmemory', '1kb'),
    end: (server: TestRedis) => server.call('CONFIG', 'SET', 'maxmemory', '0'),
    sentence: /is full and refuses writes: raise its maxmemory, or remove other data from it\.$/,
  },
  'is a read-only replica': {
    begin: (server: TestRedis) => server.call('REPLICAOF', '127.0.0.1', 1),
    end: (server: TestRedis) => server.call('REPLICAOF', 'NO', 'ONE'),
    sentence:
      /is a read-only replica and refuses writes: name its primary in CACHE_URL, or its Sentinels\.$/,
  },
  'has too few replicas': {
    begin: (server: TestRedis) => server.call('CONFIG', 'SET', 'min-replicas-to-write', 1),
    end: (server: TestRedis) => server.call('CONFIG', 'SET', 'min-replicas-to-write', 0),
    sentence: /refuses a command \(NOREPLICAS .*\): correct its configuration, or CACHE_URL\.$/,
  },
}

describe.skipIf(reason)(`a Redis that refuses writes${reason}`, () => {
  describe.each(Object.entries(faults))('because it %s', (_, { begin, end, sentence }) => {
    it('is refused at the start, and the error says what to do (F26)', async () => {
      const server = await startRedis()
      await begin(server)
      expect(await refusal(server.url)).toMatch(sentence)
      await end(server)
      const cache = await open(server.url)
      expect(await cache.isUp()).toBe(true)
    })

    it('is down in health, refuses with 503, and is back by itself (F26)', async () => {
      const server = await startRedis()
      const cache = await open(server.url)
      await cache.set('key', 'value', minute)
      const since = Date.now() + minute
      await begin(server)

      expect(await cache.isUp()).toBe(false)
      await vi.waitFor(async () => expect(await cache.get('key')).toBe('value'), 5000)
      for (const write of [
        () => cache.set('key', 'other', minute),
        () => cache.increment('count', minute),
        () => cache.spend('id', { sinceMillis: since, ttlMillis: minute }),
      ]) {
        await expect(write()).rejects.toMatchObject({ status: 503 })
      }
      await vi.waitFor(async () => {
        expect(await cache.isUp()).toBe(false)
        expect(said('the cache refuses writes')).toBe(1)
      })

      await end(server)
      await vi.waitFor(async () => expect(await cache.isUp()).toBe(true), 5000)
      expect(said('the cache takes writes again')).toBe(1)
      expect(await cache.get('key')).toBe('value')
      const spent = await cache.spend('id', { sinceMillis: since, ttlMillis: minute })
      expect(spent).toMatchObject({ outcome: 'first' })
    })
  })

  it('is left for the new primary behind the same address, though it still answers (F26)', async () => {
    const [before, after] = [await startRedis(), await startRedis()]
    let { port } = before
    const balancer = createServer((socket) => {
      const server = connect(port, '127.0.0.1')
      socket.pipe(server).pipe(socket)
      for (const each of [socket, server]) each.on('error', () => each.destroy())
    }).listen(0, '127.0.0.1')
    stops.push(async () => balancer.close())
    await once(balancer, 'listening')
    const cache = await open(`redis://127.0.0.1:${(balancer.address() as AddressInfo).port}`)
    port = after.port
    await before.call('REPLICAOF', '127.0.0.1', after.port)

    expect(await cache.isUp()).toBe(false)
    await vi.waitFor(async () => expect(await cache.isUp()).toBe(true), 5000)
    await cache.set('key', 'value', minute)
    expect(await after.call('GET', 'key')).toBe('value')
  })

  it('is down in the answer of the health endpoint (F26)', async () => {
    const server = await startRedis()
    const running = await startTestServer(defineServer().healthCheck({ detailed: true }), {
      env: { CACHE_URL: server.url },
    })
    stops.push(() => running.stop())
    const health = async () => {
      const answer = await running.fetch('/_core/health/ready')
      return { status: answer.status, body: await answer.json() }
    }

    expect(await health()).toMatchObject({ status: 200, body: { services: { cache: 'up' } } })
    await server.call('CONFIG', 'SET', 'maxmemory', '1kb')
    const down = { status: 503, body: { status: 'degraded', services: { cache: 'down' } } }
    await vi.waitFor(async () => expect(await health()).toMatchObject(down), 3000)
  })
})
