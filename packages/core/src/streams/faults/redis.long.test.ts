import { afterAll, beforeAll, describe, it } from 'vitest'
import { redisProgram, startTestRedis, type TestRedis } from '../../cache/test-redis.ts'
import { expectBridged, startPair } from './outage.ts'

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

let redis: TestRedis
let pair: Awaited<ReturnType<typeof startPair>>

describe.skipIf(missing)(`streams of two instances while Redis${missing}`, () => {
  beforeAll(async () => {
    redis = await startTestRedis()
    pair = await startPair({ CACHE_URL: redis.url })
  })
  afterAll(async () => {
    await pair.stop()
    await redis.stop()
  })

  it(
    'is killed stay open and get all of their own instance, and the others’ again within 10 s',
    () => expectBridged(pair, { begin: () => redis.kill(), end: () => redis.restart(), millis: 0 }),
    60_000,
  )

  it(
    'is stalled for 10 s stay open and get all of their own instance, and the others’ again within 10 s',
    () => expectBridged(pair, { begin: redis.pause, end: redis.resume, millis: 10_000 }),
    60_000,
  )
})
