import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import {
  openidOptions,
  redirectUri,
  secret,
  testRelyingParty,
} from '../../oauth2/testing/test-openid.ts'
import { routeMap } from '../../route-map.generated.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const auth = await startRace(openidOptions)
afterAll(auth.stop)
const { race } = auth
// Who came before an answer was given is told by the clock, which instances share as well as they can.
auth.instances[1].clock.set(auth.clock.now())
const intranet = testRelyingParty(auth)

const redeeming =
  (code: string | undefined) =>
  ({ url }: TestServer) =>
    directRequest(url, {
      ...routeMap.oauth2Token,
      input: {
        form: {
          grant_type: 'authorization_code',
          client_id: 'intranet',
          client_secret: secret,
          redirect_uri: redirectUri,
          code,
        },
      },
    })

describe('sixteen at once', () => {
  it('R57: get one id token for the code of a sign-in, and its access token is good', () =>
    eachRound(async () => {
      const { code } = await intranet.answered(await auth.signedInUser())
      const answers = await race(times(clients, () => redeeming(code)))
      const [first, ...more] = withStatus(answers, 200)
      expect(more).toEqual([])
      expect(withStatus(answers, 400)).toHaveLength(clients - 1)
      expect((await intranet.userinfo(first?.body.access_token)).status).toBe(200)
    }))
})

describe('a user who signs out', () => {
  it('leaves no token to an application that is redeeming its code (R57)', () =>
    eachRound(async () => {
      const { key, ...user } = await auth.signedInUser()
      const { code } = await intranet.answered({ ...user, key })
      const [answer] = await race([redeeming(code), auth.operation('logout', {}, key)])
      if (answer?.status !== 200) return
      expect((await intranet.userinfo(answer.body.access_token)).status).toBe(401)
    }))
})
