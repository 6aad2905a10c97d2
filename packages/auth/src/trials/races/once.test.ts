import { defineRouter, route } from '@svc/core'
import { directRequest, requestSigner } from '@svc/core/client'
import { redisProgram, startTestRedis } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getUserId } from '../../caller/caller.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { signMessage } from '../../message-signatures/testing/test-message.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestUser } from '../../testing.ts'
import { clients, eachRound, type Race, startRace, times, withStatus } from './race.ts'

const router = defineRouter({
  stream: route
    .get('/stream')
    .use([oneTimeTokenAuth])
    .handler((c) => ({ userId: getUserId(c) })),
})
// Both instances answer for one address, so that a request is good at either of them.
const audience = 'https://api.example.com'
const fifty = 50

describe('a one-time token', () => {
  let race: Race
  beforeAll(async () => {
    race = await startRace({ router })
  })
  afterAll(() => race.stop())

  it('R25: opens one stream when sixteen present it (A-321)', () =>
    eachRound(async () => {
      const { userId, key } = await race.signedInUser()
      const { token } = (await race.call('issueOneTimeToken', undefined, key)).body
      const answers = await race.race(
        times(clients, () => ({ url }) => ({
          method: 'GET',
          url: `${url}/stream?token=${token}`,
          headers: {},
        })),
      )

      expect(withStatus(answers, 200).map(({ body }) => body)).toEqual([{ userId }])
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await count(race, 'one_time_tokens')).toBe(0)
    }))
})

const options = { machines: { messageSignatures: true } }
const kinds = ['a request JWT', 'a message signature'] as const

describe.each(kinds)('%s that fifty send to both instances', (kind) => {
  it('is accepted once, by the database', async () => {
    const race = await startRace({ options, env: { SVC_API_URL: audience } })
    await eachRound(() => sendFifty(race, kind))
    await race.stop()
  })

  const missing = redisProgram ? '' : ' (no redis-server on PATH)'
  it.skipIf(missing)(`is accepted once, by the cache${missing}`, async () => {
    const redis = await startTestRedis()
    const env = { SVC_API_URL: audience, CACHE_URL: redis.url }
    const race = await startRace({ options, env })
    await eachRound(() => sendFifty(race, kind))
    await race.stop()
    await redis.stop()
  })
})

async function sendFifty(race: Race, kind: (typeof kinds)[number]) {
  const user = await race.signedInUser()
  const headers = await signedBy[kind](race, user)
  const before = await count(race, 'one_time_tokens')
  const answers = await race.race(
    times(fifty, () => ({ url }) => ({ ...issueAt(url), headers })),
  )

  expect(withStatus(answers, 200)).toHaveLength(1)
  const refused = withStatus(answers, 401).map(({ body }) => body.error.code)
  expect(refused).toEqual(times(fifty - 1, () => 'RequestReplayedError'))
  expect(await count(race, 'one_time_tokens')).toBe(before + 1)
}

const issueAt = (url: string) => directRequest(url, { ...routeMap.issueOneTimeToken, input: {} })

const signedBy = {
  'a request JWT': ({ clock }: Race, { key }: TestUser) => {
    const nowMillis = clock.now().getTime()
    return requestSigner(key, { audience })({ ...issueAt(audience), nowMillis })
  },
  'a message signature': async (race: Race, user: TestUser) => {
    const { method, url } = issueAt(audience)
    const given = { method, url, now: race.clock.now() }
    return { ...(await signMessage(await machineOf(race, user), given)), ...proxied }
  },
}
const proxied = { 'x-forwarded-host': new URL(audience).host }

async function count({ auth: { db } }: Race, table: string) {
  const { rows } = await db.execute(sql`select count(*)::int from svc_auth.${sql.raw(table)}`)
  return Number(rows[0]?.count)
}
