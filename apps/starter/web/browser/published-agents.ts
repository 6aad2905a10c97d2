import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { app } from './running-web-app.ts'

/** An agent that others have written, as it shows itself at the token endpoint. */
export interface PublishedAgent {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly secret?: string
  readonly isSigning?: boolean
}

/** Registers an agent with what it sends itself. */
export async function registered(
  metadata: (typeof app.published.registrations)[number],
): Promise<PublishedAgent> {
  const answer = await fetch(`${app.web}/_auth/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  const client = (await answer.json()) as { client_id: string; client_secret?: string }
  const { client_name: name, redirect_uris: redirectUris } = metadata
  const secret = client.client_secret
  return { clientId: client.client_id, name, redirectUris, ...(secret && { secret }) }
}

/** The program of the agents on this machine: a browser comes back to its port. */
export async function listenForCodes() {
  const came: string[] = []
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.includes('code=')) came.push(`http://${incoming.headers.host}${incoming.url}`)
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Connected</h1>')
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1))(?::\d+)?(?=\/|$)/
  return {
    came,
    /** The same address with the port of this program: an agent listens on any that is free. */
    at: (redirectUri: string) => redirectUri.replace(loopback, `$1:${port}`),
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

function signed(head: object, claims: object, key: KeyObject) {
  const iat = Math.floor(app.api.clock.now().getTime() / 1000)
  const own = { jti: randomUUID(), iat, ...claims }
  const text = [head, own]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** Proofs with a key that only the agent has (RFC 9449). */
function newProver() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }
  return (htu: string, token?: string) =>
    signed(head, { htm: 'POST', htu, ...(token && { ath: sha256(token) }) }, privateKey)
}

/** An assertion that the agent has signed, as `private_key_jwt`. */
function assertionOf({ clientId }: PublishedAgent) {
  const { keyId, privateKey } = app.published.key
  const exp = Math.floor(app.api.clock.now().getTime() / 1000) + 60
  const claims = { iss: clientId, sub: clientId, aud: app.web, exp }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signed({ alg: 'RS256', kid: keyId }, claims, privateKey),
  }
}

/** One connection of an agent: what it asks for, and what it does with the code. */
export function connectionOf(agent: PublishedAgent, redirectUri: string) {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomUUID()
  const resource = `${app.api.url}/mcp`
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: agent.clientId,
    redirect_uri: redirectUri,
    scope: 'notice:read',
    state,
    resource,
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
  })
  const prove = newProver()

  async function redeem(code: string) {
    const { clientId, secret, isSigning } = agent
    const url = `${app.web}/_auth/oauth2/token`
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        dpop: prove(url),
        ...(secret && { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` }),
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        ...(!secret && { client_id: clientId }),
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
        resource,
        ...(isSigning && assertionOf(agent)),
      }),
    })
    return (await answer.json()) as Record<string, string>
  }

  /** Calls a tool with the token that is bound to the key of this connection. */
  async function callTool(token: string, name: string) {
    const answer = await fetch(resource, {
      method: 'POST',
      headers: {
        authorization: `DPoP ${token}`,
        dpop: prove(resource, token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: {} },
      }),
    })
    const text = await answer.text()
    return JSON.parse(text.replace(/^event: message\ndata: /, '')) as { result?: object }
  }

  return { asked, state, redeem, callTool }
}
