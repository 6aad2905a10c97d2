import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

/** An agent on this machine: its browser comes back to a port of its own, and is sent on from there. */
async function startAgent() {
  const came: URL[] = []
  const server = createServer((incoming, outgoing) => {
    const at = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    if (at.pathname === '/callback') came.push(at)
    const isDone = at.pathname === '/done'
    outgoing.writeHead(isDone ? 200 : 302, {
      'content-type': 'text/html',
      // Another origin than the one that the browser was sent to.
      ...(!isDone && { location: `http://localhost:${port}/done` }),
    })
    outgoing.end(isDone ? '<title>Agent</title><h1>Connected</h1>' : '')
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const answer = await fetch(`${app.web}/_auth/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Agent Smith',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id: clientId } = (await answer.json()) as { client_id: string }
  return { clientId, redirectUri, came }
}

const post = async (path: string, form: Record<string, string>) => {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${app.web}/_auth/oauth2/${path}`, { method: 'POST', body })
  return (await answer.json()) as Record<string, string>
}

/** Whether a token opens what it is for. */
const opens = async (token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${app.api.url}/mcp`, { method: 'POST', headers, body: '{}' })
  return answer.status !== 401
}

it('an agent is let in on the consent page, is listed, and is out once it is disconnected', async () => {
  const agent = await startAgent()
  const user = await app.api.createUser()
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: agent.clientId,
    redirect_uri: agent.redirectUri,
    scope: 'notice:read notice:write',
    state: 'a state of the agent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const visitor = await newVisitor()
  const { page } = visitor
  await visitor.signIn(user, `/_auth/oauth2/authorize?${asked}`)
  await page.getByRole('heading', { name: 'Allow Agent Smith to use your account?' }).waitFor()
  await visitor.see(new URL(agent.redirectUri).host)
  await visitor.see('Post notices in your name')
  await visitor.see(user.email)

  await visitor.click('Allow')
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  const [back] = agent.came
  expect(back?.searchParams.get('state')).toBe('a state of the agent')
  const tokens = await post('token', {
    grant_type: 'authorization_code',
    client_id: agent.clientId,
    redirect_uri: agent.redirectUri,
    code: back?.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })
  const token = tokens['access_token'] ?? ''
  expect(await opens(token)).toBe(true)

  await visitor.open('/account/agents')
  await visitor.see('Post notices in your name')
  await visitor.click('Disconnect Agent Smith')
  await visitor.click('Yes, disconnect it')
  await visitor.see('Agent Smith is disconnected.')
  await page.getByRole('heading', { name: 'No connected agents' }).waitFor()
  expect(await opens(token)).toBe(false)
})

it('the consent page has a stricter policy than others, and is framed by nobody', async () => {
  const { headers, status } = await ask('/oauth2/consent?client_id=none')
  expect([status, headers['cache-control']]).toEqual([303, 'no-store'])
  const { page, open, signIn } = await newVisitor()
  await signIn(await app.api.createUser(), '/oauth2/consent?client_id=none')
  await page.getByRole('heading', { name: 'This request does not work' }).waitFor()
  const answer = await open('/oauth2/consent?client_id=none')
  expect(answer?.status()).toBe(400)
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.* frame-ancestors 'none'$/,
    ),
  })
})
