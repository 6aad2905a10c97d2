import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { issuer } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { deviceGrantType, testTerminals } from './testing/test-terminal.ts'

// Clients that others wrote, which wait for their user between two requests.

const auth = await startTestAuth(agentApp)
afterAll(() => auth.stop())
const terminals = testTerminals(auth)
const user = await auth.signedInUser()
const resource = new URL(`${auth.url}/mcp`)
const clockSkew = Math.round((auth.clock.now().getTime() - Date.now()) / 1000)

/** Takes what is for the issuer to the API, as the host of the web app does. */
const viaWebHost = (url: string, init: object) =>
  fetch(url.replace(`${issuer}/`, `${auth.url}/`), init)

const metadata = {
  client_name: 'A terminal of another maker',
  grant_types: [deviceGrantType, 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

describe('openid-client', () => {
  const options = {
    algorithm: 'oauth2' as const,
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: viaWebHost,
  }
  const register = () =>
    openid.dynamicClientRegistration(
      new URL(issuer),
      { ...metadata, [openid.clockSkew]: clockSkew },
      openid.None(),
      options,
    )

  /** Its polls. What comes between two of them is done after so many. */
  async function poll(
    config: openid.Configuration,
    asked: openid.DeviceAuthorizationResponse,
    { after, act, bound = {} }: { after: number; act: () => unknown; bound?: openid.DPoPOptions },
  ) {
    let polls = 0
    config[openid.customFetch] = async (url, init) => {
      const answer = await viaWebHost(url, init)
      polls += 1
      auth.clock.advance('5s')
      if (polls === after) await act()
      return answer
    }
    // The clock of the test goes on instead.
    const parameters = { resource: resource.href }
    const waiting = { ...asked, interval: 0.01 }
    return openid.pollDeviceAuthorizationGrant(config, waiting, parameters, bound)
  }

  async function ask(config: openid.Configuration) {
    const asked = await openid.initiateDeviceAuthorization(config, {
      scope: 'board',
      resource: resource.href,
    })
    expect(asked).toMatchObject({ interval: 5, verification_uri: `${issuer}/device` })
    return asked
  }

  it.each([
    ['bearer', () => Promise.resolve({})],
    [
      'dpop',
      async (config: openid.Configuration) => ({
        DPoP: openid.getDPoPHandle(config, await openid.randomDPoPKeyPair()),
      }),
    ],
  ] as const)(
    'waits for its user, and goes on with a token of the type %s (RFC 8628)',
    async (type, bind) => {
      const config = await register()
      const bound = await bind(config)
      const asked = await ask(config)
      const act = () => terminals.decide(asked, user)
      const tokens = await poll(config, asked, { after: 2, act, bound })
      expect(tokens).toMatchObject({ token_type: type, scope: 'board' })
      config[openid.customFetch] = viaWebHost
      const open = (token: string) =>
        openid.fetchProtectedResource(config, token, resource, 'GET', null, undefined, bound)
      expect(await (await open(tokens.access_token)).json()).toMatchObject({ userId: user.userId })
      const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, bound)
      expect((await open(next.access_token)).status).toBe(200)
    },
  )

  it('is told that its user has denied it, and that its code has expired', async () => {
    const config = await register()
    const asked = await ask(config)
    const denied = poll(config, asked, { after: 1, act: () => terminals.deny(asked, user) })
    await expect(denied).rejects.toMatchObject({ error: 'access_denied', status: 400 })
    const late = await ask(config)
    const expired = poll(config, late, { after: 1, act: () => auth.clock.advance('10m') })
    await expect(expired).rejects.toMatchObject({ error: 'expired_token', status: 400 })
  })
})

describe('oauth4webapi', () => {
  const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: viaWebHost }

  it('finds the endpoint in the metadata, and redeems its code once', async () => {
    const server = new URL(issuer)
    const described = await oauth.discoveryRequest(server, { ...options, algorithm: 'oauth2' })
    const as = await oauth.processDiscoveryResponse(server, described)
    expect(as.grant_types_supported).toContain(deviceGrantType)
    const registered = await oauth.dynamicClientRegistrationRequest(as, metadata, options)
    const client = {
      ...(await oauth.processDynamicClientRegistrationResponse(registered)),
      [oauth.clockSkew]: clockSkew,
    }
    const none = oauth.None()
    const answer = await oauth.deviceAuthorizationRequest(as, client, none, {}, options)
    const asked = await oauth.processDeviceAuthorizationResponse(as, client, answer)
    const redeem = async () => {
      const { device_code } = asked
      const sent = await oauth.deviceCodeGrantRequest(as, client, none, device_code, options)
      return oauth.processDeviceCodeResponse(as, client, sent)
    }
    await expect(redeem()).rejects.toMatchObject({ error: 'authorization_pending' })
    await expect(redeem()).rejects.toMatchObject({ error: 'slow_down', status: 400 })
    expect((await terminals.decide(asked, await auth.signedInUser())).status).toBe(204)
    expect(await redeem()).toMatchObject({ token_type: 'bearer' })
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
