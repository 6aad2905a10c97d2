import { redisProgram, startTestRedis } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { proofOf } from '../../proof/testing/test-proof.ts'
import { clients, eachRound, type Race, startRace, times, withStatus } from './race.ts'

const path = '/_auth/mfa/status'

describe('a proof that sixteen send to both instances', () => {
  it('is accepted once, by the database (A-332)', async () => {
    const race = await startRace()
    await eachRound(() => sendAll(race))
    await race.stop()
  })

  const missing = redisProgram ? '' : ' (no redis-server on PATH)'
  it.skipIf(missing)(
    `is accepted once, by the cache, and not without it (A-332)${missing}`,
    async () => {
      const redis = await startTestRedis()
      const race = await startRace({ env: { CACHE_URL: redis.url } })
      await eachRound(() => sendAll(race))
      const given = await proved(race)
      await redis.kill()
      const { status } = await race.fetch(path, { method: 'POST', ...given })
      expect(status).toBe(503)
      await race.stop()
      await redis.stop()
    },
  )
})

async function proved({ signedInUser, clock }: Race) {
  const { userId: clientId, key } = await signedInUser()
  const headers = await proofOf({ key, clientId, path, now: clock.now() })
  return { headers, body: '{}' }
}

async function sendAll(race: Race) {
  const given = await proved(race)
  const answers = await race.race(
    times(clients, () => ({ url }) => ({ method: 'POST', url: `${url}${path}`, ...given })),
  )
  expect(withStatus(answers, 200)).toHaveLength(1)
  const refused = withStatus(answers, 401).map(({ body }) => body.error.code)
  expect(refused).toEqual(times(clients - 1, () => 'PROOF_REPLAYED'))
}
