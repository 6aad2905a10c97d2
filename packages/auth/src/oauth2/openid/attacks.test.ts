import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { configureAuth } from '../../configure-auth.ts'
import { startTestAuth } from '../../testing.ts'
import { pkce, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import { openidOptions, redirectUri, secret, testRelyingParty } from '../testing/test-openid.ts'

const { authorizationServer } = openidOptions.options
const { clients } = authorizationServer.openid
const local = 'http://127.0.0.1/callback'
const auth = await startTestAuth({
  ...agentApp,
  env: openidOptions.env,
  options: {
    authorizationServer: {
      ...authorizationServer,
      openid: {
        clients: {
          ...clients,
          page: { name: 'Page', redirectUris: [redirectUri], trusted: true },
          staging: { ...clients.intranet, redirectUris: [local] },
        },
      },
    },
  },
})
afterAll(auth.stop)
afterEach(() => configureAuth({ enforcePasswordChange: false }))
const intranet = testRelyingParty(auth)
const agents = testAgents(auth)

const challenged = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })

describe('a trusted client', () => {
  it('is asked about if it has no proof of its own, and any program on the device may be at its redirect URI (RFC 8252, section 8.6)', async () => {
    const user = await auth.signedInUser()
    const isAllowed = async (clientId: string, redirect_uri: string) => {
      const party = testRelyingParty(auth, clientId)
      const fields = { ...challenged(), redirect_uri }
      return (await party.describe(user, await party.passedOn(fields))).body.signIn.isAllowed
    }
    expect(await isAllowed('desktop', 'http://127.0.0.1:5000/callback')).toBe(false)
    expect(await isAllowed('page', redirectUri)).toBe(true)
    expect(await isAllowed('staging', local)).toBe(true)
    const desktop = testRelyingParty(auth, 'desktop')
    const quiet = { ...challenged(), redirect_uri: local, prompt: 'none' }
    expect(await desktop.answered(user, quiet)).toMatchObject({ error: 'consent_required' })
  })
})

describe('prompt=none', () => {
  it('shows a page if there is no application that could be told', async () => {
    const agent = await agents.register({ redirect_uris: ['https://agent.example.com/callback'] })
    const nowhere = [
      intranet.asked({ prompt: 'none', redirect_uri: `${redirectUri}2` }),
      intranet.asked({ prompt: 'none', client_id: 'unknown' }),
      { ...agents.asked(agent, pkce().challenge), prompt: 'none' },
    ]
    for (const fields of nowhere) {
      const { pathname, searchParams } = await intranet.visit(fields)
      expect([pathname, searchParams.get('prompt')]).toEqual(['/oauth2/consent', null])
    }
  })
})

describe('the code of a sign-in', () => {
  it('is worth nothing once the user must change the password', async () => {
    configureAuth({ enforcePasswordChange: true })
    const user = await auth.signedInUser()
    const { code } = await intranet.answered(user)
    await auth.auth.db
      .update(users)
      .set({ passwordChangeRequired: true })
      .where(eq(users.userId, user.userId))
    expect(await intranet.redeem(code)).toMatchObject(refused('invalid_grant'))
  })
})

describe('a client of the configuration', () => {
  it('shows no code, registers under no id, and is no agent', async () => {
    const form = { client_id: 'intranet', client_secret: secret, scope: 'board' }
    const ask = async (path: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields)
      const answer = await fetch(`${auth.url}/_auth/oauth2/${path}`, { method: 'POST', body })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await ask('device_authorization', form)).toMatchObject(refused('unauthorized_client'))
    const registered = await agents.register({ client_id: 'intranet' })
    expect(registered.clientId).not.toBe('intranet')
    for (const grant_type of ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']) {
      const answer = await ask('token', { ...form, grant_type, refresh_token: 'x'.repeat(43) })
      expect(answer).toMatchObject(refused('unauthorized_client'))
    }
    const user = await auth.signedInUser()
    const { access_token: token } = await intranet.signIn(user)
    expect((await ask('introspect', { ...form, token })).status).toBe(401)
    const agent = await agents.register()
    const { access_token } = await agents.tokens(user, agent)
    expect((await ask('revoke', { client_id: agent.clientId, token })).status).toBe(200)
    expect((await ask('revoke', { ...form, token: access_token })).status).toBe(200)
    expect((await intranet.userinfo(token)).status).toBe(200)
    expect((await agents.open(access_token)).status).toBe(200)
  })

  it('gets no code of an agent, and no agent gets one of a sign-in', async () => {
    const user = await auth.signedInUser()
    const agent = await agents.register()
    const { code } = await intranet.answered(user)
    const taken = { code: code ?? '', verifier: pkce().verifier }
    expect(await agents.redeem(agent, taken)).toMatchObject(refused('invalid_grant'))
    const allowed = await agents.allow(user, agent)
    const form = { code_verifier: allowed.verifier }
    expect(await intranet.redeem(allowed.code, form)).toMatchObject(refused('invalid_grant'))
    expect(await intranet.redeem(code)).toMatchObject({ status: 200 })
  })
})

describe('what an application reads', () => {
  it('is kept by no cache', async () => {
    const user = await auth.signedInUser()
    const { code } = await intranet.answered(user)
    const { headers, body } = await intranet.redeem(code)
    expect(headers.get('cache-control')).toBe('no-store')
    const read = await intranet.userinfo(body.access_token)
    expect(read.headers.get('cache-control')).toBe('no-store')
    expect((await intranet.userinfo('x'.repeat(43))).headers.get('cache-control')).toBe('no-store')
  })
})
