import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyAccessToken } from '../../oauth2/oauth2.ts'
import {
  type Agent,
  agentOptions,
  redirectUri,
  testAgents,
} from '../../oauth2/testing/test-agent.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestAnswer } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const auth = await startRace(agentOptions)
afterAll(auth.stop)
const { race } = auth
const agents = testAgents(auth)
// Who came before an answer was given is told by the clock, which instances share as well as they can.
auth.instances[1].clock.set(auth.clock.now())
const agent: Agent = await agents.register()
const other = await agents.register()
const client_id = agent.clientId

const sending =
  (operation: 'oauth2Token' | 'oauth2Revoke', form: Record<string, string>) =>
  ({ url }: TestServer) =>
    directRequest(url, { ...routeMap[operation], input: { form: { client_id, ...form } } })

const redeeming = ({ code, verifier }: { code: string; verifier: string }) =>
  sending('oauth2Token', {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
const refreshing = (refresh_token: string, by = client_id) =>
  sending('oauth2Token', { grant_type: 'refresh_token', refresh_token, client_id: by })
const revoking = (token: string) => sending('oauth2Revoke', { token })

const opens = async ({ body }: TestAnswer) =>
  (await verifyAccessToken(body.access_token, '/mcp')) !== null
const renews = async ({ body }: TestAnswer) =>
  (await agents.refresh(agent, body.refresh_token)).status === 200

describe('sixteen at once', () => {
  it('R30: get one pair of tokens for a code, and it is good', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const code = await agents.allow(user, agent)
      const answers = await race(times(clients, () => redeeming(code)))
      const [first, ...more] = withStatus(answers, 200)
      expect(more).toEqual([])
      expect(withStatus(answers, 400)).toHaveLength(clients - 1)
      expect(await opens(first as TestAnswer)).toBe(true)
      expect(await renews(first as TestAnswer)).toBe(true)
    }))

  it('R40: get one and the same pair of tokens for a refresh token, and the family goes on', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { refresh_token } = await agents.tokens(user, agent)
      const answers = await race(times(clients, () => refreshing(refresh_token)))
      const [first, ...others] = withStatus(answers, 200)
      expect(others.map(({ body }) => body)).toEqual(times(clients - 1, () => first?.body))
      expect(await opens(first as TestAnswer)).toBe(true)
      expect(await renews(first as TestAnswer)).toBe(true)
    }))

  it('leave no token of the grant to another client, in any order (R40)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { refresh_token } = await agents.tokens(user, agent)
      const [own] = await race([refreshing(refresh_token)])
      for (const { clock } of auth.instances) clock.advance(1)
      const answers = await race([
        ...times(clients / 2, () => refreshing(refresh_token, other.clientId)),
        ...times(clients / 2, () => refreshing(refresh_token)),
      ])
      expect(withStatus(answers.slice(0, clients / 2), 400)).toHaveLength(clients / 2)
      for (const answer of [own, ...withStatus(answers, 200)]) {
        expect(await opens(answer as TestAnswer)).toBe(false)
      }
    }))
})

describe('an owner who takes a grant back', () => {
  it('leaves no token of it to who was renewing it (R30)', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const token = await agents.tokens(user, agent)
      const revoke = revoking(round % 2 === 0 ? token.access_token : token.refresh_token)
      const answers = await race([
        revoke,
        ...times(clients - 1, () => refreshing(token.refresh_token)),
      ])
      for (const answer of withStatus(answers.slice(1), 200)) {
        expect([await opens(answer), await renews(answer)]).toEqual([false, false])
      }
      expect(await verifyAccessToken(token.access_token, '/mcp')).toBeNull()
    }))

  it('and signs out everywhere, leaves none to who was beginning it (R30)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const code = await agents.allow(user, agent)
      const leave = auth.operation('revokeAllKeys', { includeCurrent: true }, user.key)
      const answers = await race([leave, ...times(clients - 1, () => redeeming(code))])
      expect(answers[0]?.status).toBe(200)
      for (const answer of withStatus(answers.slice(1), 200)) {
        expect([await opens(answer), await renews(answer)]).toEqual([false, false])
      }
    }))
})
