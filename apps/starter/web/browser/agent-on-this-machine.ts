import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { app } from './running-web-app.ts'

/** An agent on this machine: its browser comes back to a port of its own, and is sent on from there. */
export async function startAgent() {
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

/** What the agent asks for, and what only it knows of that. */
export function requestOf({ clientId, redirectUri }: { clientId: string; redirectUri: string }) {
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'notice:read notice:write',
    state: 'a state of the agent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { asked, verifier }
}
