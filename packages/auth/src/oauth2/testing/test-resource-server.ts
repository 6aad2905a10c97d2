import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import type { TestAuth } from '../../testing.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A resource whose server has a process and a key of its own. */
export const files = 'https://files.example.com/'

export const filesKey = privateKey

/** What the operator configures for that server. */
export const filesServer = { jwks: { keys: [publicKey.export({ format: 'jwk' })] } }

interface Signing {
  claims?: object
  key?: KeyObject
}

interface Sending {
  /** What the test sends besides the token and the assertion, or instead of them. */
  form?: Record<string, string>
  headers?: Record<string, string>
  at?: TestServer
}

/** The server of a resource, which asks about tokens. */
export function testResourceServer(auth: Pick<TestAuth, 'server' | 'clock'>, issuer: string) {
  /** What it signs for one request (RFC 7523). */
  function assertion({ claims = {}, key = privateKey }: Signing = {}) {
    const iat = Math.floor(auth.clock.now().getTime() / 1000)
    const own = { iss: files, sub: files, aud: issuer, jti: randomUUID(), iat, exp: iat + 60 }
    const signed = [{ alg: 'ES256' }, { ...own, ...claims }].map(encoded).join('.')
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  const signed = (signing?: Signing) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion(signing),
  })

  /** Sends a question as it is. */
  async function send(given: Record<string, string>, { at = auth.server, headers }: Sending = {}) {
    const answer = await fetch(`${at.url}/_auth/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams(given),
      ...(headers && { headers }),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  const ask = (token: string, { form, ...sending }: Sending = {}) =>
    send({ token, ...signed(), ...form }, sending)

  return { assertion, signed, send, ask }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
