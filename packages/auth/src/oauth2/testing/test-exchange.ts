import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '@svc/core/testing'
import type { TestAuth } from '../../testing.ts'
import { agentOptions, issuer } from './test-agent.ts'
import { files, filesServer } from './test-resource-server.ts'

/** A resource behind that of the files. */
export const mail = 'https://mail.example.com/'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** With which each service signs. */
export const serviceKey = privateKey

/** What the services of a company say of themselves at one host, and which of them may exchange tokens. */
export async function openServiceHost() {
  const host = createServer(({ url }, response) => {
    const methods = url === '/open.json' ? ['none', 'private_key_jwt'] : ['private_key_jwt']
    const document = {
      client_id: `${origin}${url}`,
      token_endpoint_auth_method: methods.at(-1),
      token_endpoint_auth_methods_supported: methods,
      grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      jwks: { keys: [publicKey.export({ format: 'jwk' })] },
      ...(url === '/bound.json' && { dpop_bound_access_tokens: true }),
      ...(url === '/unlisted.json' && {
        redirect_uris: ['https://unlisted.example.com/'],
        grant_types: ['authorization_code'],
      }),
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document))
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const named = `127.0.0.1:${(host.address() as AddressInfo).port}`
  const origin = `http://${named}`
  const at = (name: string) => `${origin}/${name}.json`
  const { authorizationServer } = agentOptions.options
  const exchange = {
    [at('files')]: { serves: [files], resources: [mail] },
    [at('relay')]: { serves: [files, mail, '/mcp'], resources: [mail, '/mcp', files] },
    [at('reader')]: { serves: [files], resources: [mail, files], scopes: ['board'] },
    [at('open')]: { serves: [files], resources: [mail] },
    [at('bound')]: { serves: [files], resources: [mail] },
  }
  const options = {
    options: {
      authorizationServer: {
        ...authorizationServer,
        resources: [...authorizationServer.resources, mail],
        resourceServers: { [files]: filesServer, [mail]: filesServer },
        clientDocuments: { hosts: [named] },
        exchange,
      },
    },
  }
  return { at, options, close: () => host.close() }
}

type Form = Record<string, string | undefined>

export interface Sending {
  form?: Form
  headers?: Record<string, string>
  at?: TestServer
}

/** A service that exchanges the tokens that it gets, one request at a time. */
export function testServices(auth: Pick<TestAuth, 'server' | 'clock'>) {
  function signed(clientId: string) {
    const iat = Math.floor(auth.clock.now().getTime() / 1000)
    const own = { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), iat, exp: iat + 60 }
    const input = [{ alg: 'ES256' }, own].map(encoded).join('.')
    const signature = sign('sha256', Buffer.from(input), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${input}.${signature.toString('base64url')}`,
    }
  }

  const formOf = (clientId: string, subject_token: string): Record<string, string> => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    ...signed(clientId),
  })

  async function send(given: Form, { at = auth.server, headers }: Sending = {}) {
    const present = Object.entries(given).filter(([, value]) => value !== undefined)
    const answer = await fetch(`${at.url}/_auth/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(present as [string, string][]),
      ...(headers && { headers }),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  const exchange = (clientId: string, token: string, { form, ...sending }: Sending = {}) =>
    send({ ...formOf(clientId, token), ...form }, sending)

  /** The token of an exchange that succeeds. */
  async function exchanged(...given: Parameters<typeof exchange>): Promise<string> {
    const { status, body } = await exchange(...given)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.access_token
  }

  return { signed, formOf, send, exchange, exchanged }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
