import { directRequest } from '@svc/core/client'
import { dpopProof } from '../../oauth2/client.ts'
import { testTerminals } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { issuer, pkce, testAgents } from '../../oauth2/testing/test-agent.ts'
import { testServices } from '../../oauth2/testing/test-exchange.ts'
import { files, testResourceServer } from '../../oauth2/testing/test-resource-server.ts'
import { routeMap } from '../../route-map.generated.ts'
import { done } from '../../test-answers.ts'
import { createTestKey } from '../../testing.ts'
import type { Application } from './application.ts'

/** A program that somebody lets in: registered, allowed, with tokens that are renewed, replayed and revoked. */
export async function letAgentsIn(app: Application) {
  const agents = testAgents(app)
  const user = await app.signedInUser()
  const agent = await agents.register({ token_endpoint_auth_method: 'client_secret_basic' })
  const asked = agents.asked(agent, pkce().challenge)
  const input = { query: asked }
  const { url } = directRequest(app.url, { ...routeMap.getOAuth2Authorize, input })
  await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
  await app.call('getOAuth2Authorize', undefined, user.key, input)

  const basic = Buffer.from(`${agent.clientId}:${agent.clientSecret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  const inHeader = { clientId: agent.clientId }
  const code = await agents.allow(user, agent)
  const redeemed = await done(agents.redeem(inHeader, code, { headers }))
  await agents.redeem(inHeader, { ...code, verifier: pkce().verifier }, { headers })
  await agents.open(redeemed.access_token)
  await agents.open(redeemed.refresh_token)

  const inForm = await agents.register({ token_endpoint_auth_method: 'client_secret_post' })
  const { access_token, refresh_token } = await agents.tokens(user, inForm)
  const next = await done(agents.refresh(inForm, refresh_token))
  await agents.open(access_token, { at: app.other })
  await agents.refresh(inForm, refresh_token)
  const { clientId: client_id, clientSecret: client_secret } = inForm
  await agents.send('revoke', { client_id, client_secret, token: next.refresh_token })
  await withProof(app)
  await showingCodes(app)
  const elsewhere = await agents.tokens(user, inForm, { resource: files })
  const { body } = await testResourceServer(app, issuer).ask(elsewhere.access_token)
  if (!body.active) throw new Error('A token is not active at the server of its resource.')
  const { exchanged } = testServices(app)
  const passedOn = await exchanged(app.services.at('files'), elsewhere.access_token)
  await exchanged(app.services.at('relay'), passedOn)
}

/** A program that shows a code: it waits, is denied, and is allowed. */
async function showingCodes(app: Application) {
  const terminals = testTerminals(app)
  const user = await app.signedInUser()
  const agent = await terminals.register({ token_endpoint_auth_method: 'client_secret_post' })
  const denied = await terminals.start(agent)
  await terminals.poll(agent, denied)
  await terminals.look(denied, user)
  await terminals.deny(denied, user)
  await terminals.poll(agent, denied)
  const code = await terminals.allowed(user, agent)
  const { access_token } = await done(terminals.poll(agent, code))
  await testAgents(app).open(access_token)
  await terminals.poll(agent, code)
}

/** Tokens that are bound to a key. */
async function withProof(app: Application) {
  const agents = testAgents(app)
  const user = await app.signedInUser()
  const agent = await agents.register()
  const key = await createTestKey()
  const proof = (method: string, path: string, token = '') =>
    dpopProof(key, {
      method,
      url: `${app.url}${path}`,
      nowMillis: app.clock.now().getTime(),
      ...(token && { token }),
    })
  const code = await agents.allow(user, agent)
  const headers = { dpop: await proof('POST', '/_auth/oauth2/token') }
  const { access_token: token } = await done(agents.redeem(agent, code, { headers }))
  const dpop = await proof('GET', '/mcp', token)
  const bound = { authorization: `DPoP ${token}`, dpop }
  const { status } = await agents.open(token, { headers: bound })
  if (status !== 200) throw new Error(`A token with its proof is answered ${status}.`)
  await agents.open(token, { headers: bound })
}
