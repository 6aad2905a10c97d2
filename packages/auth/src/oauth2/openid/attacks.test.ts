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
