import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import {
  openCompany,
  testEmployees,
} from '../../oauth2/identity-assertions/testing/test-company.ts'
import { verifyAccessToken } from '../../oauth2/oauth2.ts'
import { routeMap } from '../../route-map.generated.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import type { TestAnswer } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const company = await openCompany(() => auth.clock.now())
const auth: Awaited<ReturnType<typeof startRace>> = await startRace(company.options)
afterAll(async () => {
  company.host.close()
  await auth.stop()
  await company.idp.stop()
})
const { race, raceBehind } = auth
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const { linkedUser, assertion, formOf } = testEmployees(auth, company)
auth.instances[1].clock.set(auth.clock.now())

/** Each request authenticates its client with an assertion of its own. */
const sending = (given: string) => {
  const form = formOf(given)
  return ({ url }: TestServer) => directRequest(url, { ...routeMap.oauth2Token, input: { form } })
}
const opens = async ({ body }: TestAnswer) =>
  (await verifyAccessToken(body.access_token, '/mcp')) !== null

async function activeOf(userId: string) {
  const { rows } = await pool.query(
    `select from svc_auth.oauth2_grants where user_id = $1 and state = 'active'`,
    [userId],
  )
  return rows.length
}

describe('an assertion of an identity provider', () => {
  it('R58: is redeemed once, of sixteen at once', () =>
    eachRound(async () => {
      const { sub } = await linkedUser()
      const given = await assertion(sub)
      const answers = await race(times(clients, () => sending(given)))
      const [won, ...more] = withStatus(answers, 200)
      expect(more).toEqual([])
      expect(won && (await opens(won))).toBe(true)
      const others = answers.filter(({ status }) => status !== 200)
      expect(new Set(others.map(({ body }) => body.error))).toEqual(new Set(['invalid_grant']))
    }))

  it('makes one grant, of sixteen assertions at once, and each gives a token (R58)', () =>
    eachRound(async () => {
      const { userId, sub } = await linkedUser()
      const all = await Promise.all(times(clients, () => assertion(sub)))
      const answers = await race(all.map((given) => sending(given)))
      expect(withStatus(answers, 200)).toHaveLength(clients)
      for (const answer of answers) expect(await opens(answer)).toBe(true)
      expect(await activeOf(userId)).toBe(1)
    }))

  it('gives nothing behind the end of the link, or what ends with it (R58)', () =>
    eachRound(async () => {
      const user = await linkedUser()
      const all = await Promise.all(times(clients - 1, () => assertion(user.sub)))
      const end = auth.operation(
        'unlinkSocialAccount',
        { provider: 'google', password: user.password },
        user.key,
      )
      const answers = await raceBehind([user.userId], [end, ...all.map((given) => sending(given))])
      expect(answers[0]?.status).toBeLessThan(300)
      expect(withStatus(answers.slice(1), 200)).toEqual([])
      expect(await linksOf(auth).linkOf(user.userId, { id: 'google' })).toBeNull()
      expect(await activeOf(user.userId)).toBe(0)
    }))
})
