import { setTimeout as wait } from 'node:timers/promises'
import { redisProgram, startTestRedis, type TestRedis } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { askAll, type LoadAnswer, startLoad, wrongInOutage } from './load.ts'

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

let redis: TestRedis
let auth: TestAuth
let users: TestUser[]

const statuses = (answers: readonly LoadAnswer[], ...names: string[]) => [
  ...new Set(answers.filter(({ name }) => names.includes(name)).map(({ status }) => status)),
]

describe.skipIf(missing)(`Redis${missing}`, () => {
  beforeAll(async () => {
    redis = await startTestRedis()
    auth = await startTestAuth({ env: { CACHE_URL: redis.url, SVC_RATE_LIMIT: 'on' } })
    users = await Promise.all(Array.from({ length: 4 }, () => auth.signedInUser()))
  })
  afterAll(async () => {
    await auth.stop()
    await redis.stop()
  })

  const isBack = () =>
    vi.waitFor(async () => {
      const answers = await askAll(auth, users)
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }, 5000)

  const outages = {
    killed: [() => redis.kill(), () => redis.restart()],
    stalled: [async () => redis.pause(), async () => redis.resume()],
    full: [
      () => redis.call('CONFIG', 'SET', 'maxmemory', '1kb'),
      () => redis.call('CONFIG', 'SET', 'maxmemory', '0'),
    ],
    'read-only': [
      () => redis.call('REPLICAOF', '127.0.0.1', 1),
      () => redis.call('REPLICAOF', 'NO', 'ONE'),
    ],
  } as const

  it.each(
    orFew(
      [
        ['F6', 'killed'],
        ['F6', 'stalled'],
        ['F26', 'full'],
        ['F26', 'read-only'],
      ] as const,
      2,
    ),
  )(
    '%s, F5: %s: what it must count or spend is 503, reading goes on, and all is well when it is back',
    async (_, outage) => {
      const [begin, end] = outages[outage]
      await begin()
      const load = startLoad(auth, users)
      const during = await askAll(auth, users)
      await wait(1000)
      const answers = [...(await load.stop()), ...during]
      await end()
      await isBack()

      expect(wrongInOutage(answers)).toEqual([])
      expect(statuses(answers, 'getAuthSession')).toEqual([200])
      expect(statuses(answers, 'issueOneTimeToken', 'listKeys', 'login')).toEqual([503])
    },
  )
})
