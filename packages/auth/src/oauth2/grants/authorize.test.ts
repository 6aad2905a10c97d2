import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { issuer, pkce, redirectUri, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)
const agents = testAgents(auth)
const agent = await agents.register()

describe('the authorization endpoint', () => {
  const { challenge } = pkce()
  const visit = (fields: object) =>
    fetch(`${auth.url}/_auth/oauth2/authorize?${new URLSearchParams(fields as never)}`, {
      redirect: 'manual',
    })

  it('passes a browser on to the consent page with what it was asked', async () => {
    const asked = agents.asked(agent, challenge, { scope: 'board' })
    const answer = await visit(asked)
    expect(answer.status).toBe(302)
    const to = new URL(answer.headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe(`${issuer}/oauth2/consent`)
    expect(Object.fromEntries(to.searchParams)).toEqual(asked)
  })

  it('tells a caller who signs what there is to agree to', async () => {
    const user = await auth.signedInUser()
    const query = agents.asked(agent, challenge, {
      scope: 'user:read',
      resource: `${auth.url}/mcp`,
    })
    const answer = await auth.call('getOAuth2Authorize', undefined, user.key, { query })
    expect(answer.body).toEqual({
      clientId: agent.clientId,
      clientName: '127.0.0.1:7777',
      redirectHost: '127.0.0.1:7777',
      resource: '/mcp',
      scopes: [{ name: 'user:read', description: 'See who else is here' }],
      owners: [],
    })
  })

  it('takes no owner where no capability has tenants', async () => {
    const user = await auth.signedInUser()
    const owner = crypto.randomUUID()
    const answer = await agents.decide(user, agents.asked(agent, challenge, { owner }))
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NotFoundError'])
  })

  it('does not redirect for an unknown client or address', async () => {
    const nowhere = [
      { client_id: 'unknown' },
      { client_id: undefined },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: `${redirectUri}/more` },
      { redirect_uri: `${redirectUri}?x=y` },
      { redirect_uri: redirectUri.replace('127.0.0.1', 'localhost') },
      { redirect_uri: redirectUri.toUpperCase() },
    ]
    for (const fields of nowhere) {
      const asked = agents.asked(agent, challenge, fields)
      const given = Object.entries(asked).filter(([, value]) => value !== undefined)
      const answer = await visit(Object.fromEntries(given))
      expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request'])
    }
  })

  it('tells the client what is wrong, with state and iss in every answer (RFC 9207)', async () => {
    const wrong = [
      ['unsupported_response_type', { response_type: 'token' }],
      ['invalid_request', { code_challenge: '' }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_scope', { scope: 'board everything' }],
      ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
      ['invalid_target', { resource: `${auth.url}/mcp#part` }],
    ] as const
    const user = await auth.signedInUser()
    for (const [error, fields] of wrong) {
      const asked = agents.asked(agent, challenge, fields)
      const to = new URL((await visit(asked)).headers.get('location') ?? '')
      expect(`${to.origin}${to.pathname}`).toBe(redirectUri)
      expect(Object.fromEntries(to.searchParams)).toMatchObject({
        error,
        state: 'a state',
        iss: issuer,
      })
      expect(await agents.decide(user, asked)).toMatchObject(refused(error))
    }
    const denied = await agents.decide(user, agents.asked(agent, challenge), 'deny')
    const { searchParams } = new URL(denied.body.redirectTo)
    expect(searchParams.get('error')).toBe('access_denied')
    expect([searchParams.get('iss'), searchParams.get('code')]).toEqual([issuer, null])
    const { answer } = await agents.allow(user, agent)
    expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'a state'])
  })

  it('redirects no browser to a page that an attacker may have registered, without a word (RFC 9700)', async () => {
    const redirect_uri = 'https://agent.example.com/callback'
    const remote = await agents.register({ redirect_uris: [redirect_uri] })
    const wrong = { ...agents.asked(remote, challenge, { redirect_uri }), scope: 'everything' }
    const url = `${auth.url}/_auth/oauth2/authorize?${new URLSearchParams(wrong)}`
    const goTo = async (accept: string) => {
      const answer = await fetch(url, { redirect: 'manual', headers: { accept } })
      return new URL(answer.headers.get('location') ?? '').origin
    }
    expect(await goTo('text/html,application/xhtml+xml,*/*;q=0.8')).toBe(issuer)
    expect(await goTo('*/*')).toBe('https://agent.example.com')
    const unknown = `${auth.url}/_auth/oauth2/authorize?client_id=unknown`
    const headers = { accept: 'text/html' }
    const answer = await fetch(unknown, { redirect: 'manual', headers })
    expect(answer.headers.get('location')).toBe(`${issuer}/oauth2/consent?client_id=unknown`)
  })

  it('takes any port of a loopback address', async () => {
    const asked = agents.asked(agent, challenge, {
      redirect_uri: 'http://127.0.0.1:50123/callback',
    })
    expect((await visit(asked)).status).toBe(302)
  })
})

describe('a code', () => {
  it('is for its client, its redirect URI and the verifier of its challenge', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent)
    const other = await agents.register()
    expect(await agents.redeem(other, code)).toMatchObject(refused('invalid_grant'))
    const wrong = [
      { redirect_uri: `${redirectUri}2` },
      { code_verifier: undefined },
      { code_verifier: '' },
      { code_verifier: pkce().verifier },
      { code_verifier: pkce().challenge },
      { code: 'x'.repeat(43) },
      { code: undefined },
    ]
    for (const form of wrong) {
      expect(await agents.redeem(agent, code, { form })).toMatchObject(refused('invalid_grant'))
    }
    const resource = 'https://files.example.com/'
    expect(await agents.redeem(agent, code, { form: { resource } })).toMatchObject(
      refused('invalid_target'),
    )
    expect((await agents.redeem(agent, code)).status).toBe(200)
  })

  it('is good for less than a minute', async () => {
    const user = await auth.signedInUser()
    const [first, second] = [await agents.allow(user, agent), await agents.allow(user, agent)]
    auth.clock.advance(59_999)
    expect((await agents.redeem(agent, first)).status).toBe(200)
    auth.clock.advance(1)
    expect(await agents.redeem(agent, second)).toMatchObject(refused('invalid_grant'))
  })

  it('that is used again ends what it began', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent)
    const first = await agents.redeem(agent, code)
    auth.clock.advance(1)
    expect(await agents.redeem(agent, code)).toMatchObject(refused('invalid_grant'))
    expect(await agents.isOpen(first.body.access_token)).toBe(false)
    expect(await agents.refresh(agent, first.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })
})
