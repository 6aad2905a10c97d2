import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestAnswer, TestAuth } from '@svc/auth/testing'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A resource whose server has a process of its own, and no database of ours. */
export const reports = 'https://reports.example.com/'
export const reportsServer = { jwks: { keys: [publicKey.export({ format: 'jwk' })] } }

/** A resource whose server asks about no token: they are JWTs, signed with this key. */
export const ledger = 'https://ledger.example.com/'
const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const ledgerEnv = {
  SVC_AUTH_OPENID_KEYS: JSON.stringify([signing.export({ format: 'jwk' })]),
}

/** The first of these servers as a client, which exchanges the tokens that it gets: what it says of itself is at a host of its own. */
const host = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      client_id: reportsClient,
      client_name: 'Reports',
      token_endpoint_auth_method: 'private_key_jwt',
      ...reportsServer,
    }),
  )
})
host.unref()
await once(host.listen(0, '127.0.0.1'), 'listening')
export const reportsHost = `127.0.0.1:${(host.address() as AddressInfo).port}`
export const reportsClient = `http://${reportsHost}/reports.json`

/** What it signs for one request (RFC 7523). */
async function signed(auth: TestAuth, id: string) {
  const { issuer } = await (await auth.fetch('/.well-known/oauth-authorization-server')).json()
  const iat = Math.floor(auth.clock.now().getTime() / 1000)
  const own = { iss: id, sub: id, aud: issuer, jti: randomUUID(), iat, exp: iat + 60 }
  const input = [{ alg: 'ES256' }, own]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`,
  }
}

type Sent = Promise<Pick<TestAnswer, 'status' | 'body'>>

async function send(auth: TestAuth, path: string, form: Record<string, string>): Sent {
  const body = new URLSearchParams(form)
  const answer = await auth.fetch(`/_auth/oauth2/${path}`, { method: 'POST', body })
  return { status: answer.status, body: await answer.json() }
}

/** Asks about a token as that server does (RFC 7662). */
export const introspect = async (auth: TestAuth, token: string) =>
  send(auth, 'introspect', { token, ...(await signed(auth, reports)) })

/** Exchanges a token as that server does (RFC 8693). */
export const exchange = async (auth: TestAuth, subject_token: string) =>
  send(auth, 'token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    ...(await signed(auth, reportsClient)),
  })

/** Gives back a token that it got by that. */
export const giveBack = async (auth: TestAuth, token: string) =>
  send(auth, 'revoke', { token, ...(await signed(auth, reportsClient)) })
