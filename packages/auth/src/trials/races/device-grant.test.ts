import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { type ShownCode, testTerminals } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { oauth2Grants } from '../../oauth2/grants/schema.ts'
import { verifyAccessToken } from '../../oauth2/oauth2.ts'
import { agentOptions, testAgents } from '../../oauth2/testing/test-agent.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestAnswer, TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const auth = await startRace(agentOptions)
afterAll(auth.stop)
const { race } = auth
auth.instances[1].clock.set(auth.clock.now())
const terminals = testTerminals(auth)
const agent = await terminals.register()

const polling =
  (code: ShownCode) =>
  ({ url }: TestServer) => {
    const { grant_type, device_code, client_id } = terminals.formOf(agent, code)
    const form = { grant_type, device_code, client_id }
    return directRequest(url, { ...routeMap.oauth2Token, input: { form } })
  }
const deciding = ({ key }: TestUser, { user_code: userCode }: ShownCode, decision: string) =>
  auth.operation('decideOAuth2DeviceRequest', { userCode, decision }, key)

const grantsOf = ({ userId }: TestUser) =>
  auth.auth.db.$count(oauth2Grants, eq(oauth2Grants.userId, userId))
const opens = async ({ body }: TestAnswer) =>
  (await verifyAccessToken(body.access_token, '/mcp')) !== null
const errorsOf = (answers: readonly TestAnswer[]) => answers.map(({ body }) => body.error)

describe('a device code', () => {
  it('R56: is redeemed once, of sixteen at once after it was allowed, and its grant goes on', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const code = await terminals.allowed(user, agent)
      const answers = await race(times(clients, () => polling(code)))
      const [first, ...more] = withStatus(answers, 200)
      expect(more).toEqual([])
      expect(errorsOf(withStatus(answers, 400))).toEqual(times(clients - 1, () => 'invalid_grant'))
      expect(await opens(first as TestAnswer)).toBe(true)
      const { refresh_token } = (first as TestAnswer).body
      expect((await testAgents(auth).refresh(agent, refresh_token)).status).toBe(200)
    }))

  it('is either allowed or denied, of sixteen decisions at once (R56)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const code = await terminals.start(agent)
      const answers = await race(
        times(clients, (at) => deciding(user, code, at % 2 ? 'allow' : 'deny')),
      )
      expect(withStatus(answers, 204)).toHaveLength(1)
      const isAllowed = answers.findIndex(({ status }) => status === 204) % 2 === 1
      expect(await grantsOf(user)).toBe(isAllowed ? 1 : 0)
      expect((await terminals.poll(agent, code)).status).toBe(isAllowed ? 200 : 400)
    }))

  it('belongs to one of two users who allow it at once (R56)', () =>
    eachRound(async () => {
      const users = [await auth.signedInUser(), await auth.signedInUser()] as const
      const code = await terminals.start(agent)
      const answers = await race(
        times(clients, (at) => deciding(users[at % 2 ? 1 : 0], code, 'allow')),
      )
      expect(withStatus(answers, 204)).toHaveLength(1)
      expect((await grantsOf(users[0])) + (await grantsOf(users[1]))).toBe(1)
    }))

  it('that is polled sixteen times at once slows down all but one (R56)', () =>
    eachRound(async () => {
      const code = await terminals.start(agent)
      const errors = errorsOf(await race(times(clients, () => polling(code))))
      expect(errors.filter((error) => error === 'authorization_pending')).toHaveLength(1)
      expect(errors.filter((error) => error === 'slow_down')).toHaveLength(clients - 1)
    }))

  it('leaves no token to a program that polls while its user signs out everywhere (R56)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const code = await terminals.allowed(user, agent)
      const leave = auth.operation('revokeAllKeys', { includeCurrent: true }, user.key)
      const answers = await race([leave, ...times(clients - 1, () => polling(code))])
      expect(answers[0]?.status).toBe(200)
      for (const answer of withStatus(answers.slice(1), 200)) {
        expect(await opens(answer)).toBe(false)
      }
    }))
})
