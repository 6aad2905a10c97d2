import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyAccessToken } from '../../oauth2/oauth2.ts'
import { type Agent, testAgents } from '../../oauth2/testing/test-agent.ts'
import { mail, openServiceHost, testServices } from '../../oauth2/testing/test-exchange.ts'
import { files } from '../../oauth2/testing/test-resource-server.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestAnswer, TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const host = await openServiceHost()
const auth = await startRace(host.options)
afterAll(async () => {
  host.close()
  await auth.stop()
})
const { race, raceBehind } = auth
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const agents = testAgents(auth)
const services = testServices(auth)
auth.instances[1].clock.set(auth.clock.now())
const agent: Agent = await agents.register()
const relay = host.at('relay')

const sending =
  (operation: 'oauth2Token' | 'oauth2Revoke', form: Record<string, string>) =>
  ({ url }: TestServer) =>
    directRequest(url, { ...routeMap[operation], input: { form } })
const exchanging = (token: string) =>
  sending('oauth2Token', { ...services.formOf(relay, token), resource: mail })
const revoking = (token: string) => sending('oauth2Revoke', { client_id: agent.clientId, token })

const opens = async ({ body }: TestAnswer) =>
  (await verifyAccessToken(body.access_token, mail)) !== null
const tokenOf = async (user: TestUser) =>
  (await agents.tokens(user, agent, { resource: files })).access_token

/** Grants that are active although one that they came from is not. */
async function orphans({ userId }: TestUser) {
  const { rows } = await pool.query(
    `select below.grant_id from svc_auth.oauth2_grants below
     join svc_auth.oauth2_grants above on above.grant_id = any(below.ancestors)
     where below.user_id = $1 and below.state = 'active' and above.state <> 'active'`,
    [userId],
  )
  return rows
}

async function childrenOf({ userId }: TestUser) {
  const { rows } = await pool.query(
    'select grant_id from svc_auth.oauth2_grants where user_id = $1 and ancestors is not null',
    [userId],
  )
  return rows.length
}

describe('a token that is exchanged', () => {
  it('R54: leaves no grant below one that is revoked meanwhile', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const token = await tokenOf(user)
      const answers = await raceBehind(
        [user.userId],
        [revoking(token), ...times(clients - 1, () => exchanging(token))],
      )
      expect(answers[0]?.status).toBe(200)
      expect(withStatus(answers.slice(1), 200)).toEqual([])
      expect(await orphans(user)).toEqual([])
    }))

  it('ends with the grant that is revoked meanwhile, in any order (R54)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const token = await tokenOf(user)
      const answers = await race([revoking(token), ...times(clients - 1, () => exchanging(token))])
      for (const answer of withStatus(answers.slice(1), 200))
        expect(await opens(answer)).toBe(false)
      expect(await orphans(user)).toEqual([])
    }))

  it('ends with a sign-out everywhere (R54)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const token = await tokenOf(user)
      const leave = auth.operation('revokeAllKeys', { includeCurrent: true }, user.key)
      const answers = await raceBehind(
        [user.userId],
        [leave, ...times(clients - 1, () => exchanging(token))],
      )
      expect(answers[0]?.status).toBe(200)
      expect(withStatus(answers.slice(1), 200)).toEqual([])
    }))

  it('is one grant, of sixteen at once, and each gets a token (R54)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const token = await tokenOf(user)
      const answers = await race(times(clients, () => exchanging(token)))
      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(clients)
      for (const answer of answers) expect(await opens(answer)).toBe(true)
      expect(await childrenOf(user)).toBe(1)
    }))

  it('keeps its client from being deleted, or is refused (R54)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const token = await tokenOf(user)
      const old = `update svc_auth.oauth2_clients set expires_at = now() - interval '9 days' where client_id = $1`
      const answers = await Promise.all([
        race(times(clients, () => exchanging(token))),
        pool.query(old, [relay]).then(() => auth.sweep()),
      ])
      const given = withStatus(answers[0], 200)
      for (const answer of given) expect(await opens(answer)).toBe(true)
      const others = answers[0].filter(({ status }) => status !== 200)
      expect(others.filter(({ status }) => status !== 503)).toEqual([])
    }))
})
