import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { dpopProof } from '../../oauth2/client.ts'
import { testAgents } from '../../oauth2/testing/test-agent.ts'
import { mail, openServiceHost, testServices } from '../../oauth2/testing/test-exchange.ts'
import { jwtOptions, testJwts } from '../../oauth2/testing/test-jwt-access-tokens.ts'
import { files } from '../../oauth2/testing/test-resource-server.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestKey } from '../../testing.ts'
import { eachRound, startRace } from './race.ts'

const host = await openServiceHost()
const auth = await startRace(jwtOptions(host))
afterAll(async () => {
  host.close()
  await auth.stop()
})
auth.instances[1].clock.set(auth.clock.now())
const agents = testAgents(auth)
const agent = await agents.register()
const services = testServices(auth)
const { bound } = testJwts(auth, agents)
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const relay = host.at('relay')

interface Sending {
  form: Record<string, string>
  key?: TestKey
}

const asking =
  ({ form, key }: Sending) =>
  async ({ url }: TestServer) => {
    const request = directRequest(url, { ...routeMap.oauth2Token, input: { form } })
    const nowMillis = auth.clock.now().getTime()
    const proof = { method: 'POST', url: `${url}/_auth/oauth2/token`, nowMillis }
    const dpop = key && (await dpopProof(key, proof))
    return { ...request, headers: { ...request.headers, ...(dpop && { dpop }) } }
  }

const refreshing = (refresh_token: string, key?: TestKey) =>
  asking({
    form: { grant_type: 'refresh_token', client_id: agent.clientId, refresh_token },
    ...(key && { key }),
  })

/** Requests that have read the account already, and then wait until a statement about it is committed. */
async function behind(
  userId: string,
  statement: string,
  requests: Parameters<typeof auth.raceBehind>[1],
) {
  return auth.raceBehind([userId], requests, async (reach) => {
    await reach(requests.length)
    await pool.query(statement, [userId])
  })
}

describe('what has ended while a request waited for the account', () => {
  it('gives no JWT, if it is the device that this is bound to', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const device = await auth.signIn(user)
      const { refresh_token } = await bound(user, agent, device)
      const [left, refreshed] = await auth.raceBehind(
        [user.userId],
        [auth.operation('logout', undefined, device), refreshing(refresh_token, device)],
      )
      expect(left?.status).toBeLessThan(300)
      expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    }))

  it('is in no JWT, if it is a permission', () =>
    eachRound(async () => {
      const user = await auth.signedInUser({ otherRoles: ['admin'] })
      const all = { resource: files, scope: 'user:read board' }
      const { access_token, refresh_token } = await agents.tokens(user, agent, all)
      const form = { ...services.formOf(relay, access_token), resource: mail }
      const answers = await behind(
        user.userId,
        'delete from svc_auth.account_roles where user_id = $1',
        [refreshing(refresh_token), asking({ form })],
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      for (const { body } of answers) {
        expect(decodeJwt(body.access_token)['permissions']).toEqual([])
      }
    }))
})
