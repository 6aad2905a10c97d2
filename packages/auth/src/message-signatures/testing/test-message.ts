import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { httpbis, type SigningKey } from 'http-message-signatures'
import type { TestKey } from '../../testing.ts'

const algorithms = { ES256: 'ecdsa-p256-sha256', RS256: 'rsa-v1_5-sha256' } as const

/** How a client of the library signs with a key. */
async function signingKeyOf({ algorithm, keyId, privateKey }: TestKey): Promise<SigningKey> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return {
    id: keyId,
    alg: algorithms[algorithm],
    sign: async (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }),
  }
}

export const digestOf = (body: string) =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

export interface Message {
  url: string
  method?: string
  body?: string
  headers?: Record<string, string>
  /** When it is signed. */
  now: Date
  /** What is covered, in place of the usual. */
  fields?: string[]
  /** The parameters, in place of the usual. */
  params?: string[]
  paramValues?: Record<string, string | number | Date>
  label?: string
}

/** The headers of a request that `http-message-signatures`, which is not ours, has signed. */
export async function signMessage(key: TestKey, message: Message) {
  const { url, method = 'GET', body, now, label = 'sig1', paramValues } = message
  const ofBody = body === undefined ? {} : bodyHeaders(body)
  const headers: Record<string, string> = { ...ofBody, ...message.headers }
  const {
    fields = ['@method', '@target-uri', ...Object.keys(ofBody)],
    params = ['created', 'keyid', 'nonce', 'tag'],
  } = message
  const signed = await httpbis.signMessage(
    {
      key: await signingKeyOf(key),
      name: label,
      fields,
      params,
      paramValues: { created: now, nonce: randomUUID(), tag: 'svc', ...paramValues },
    },
    { method, url, headers },
  )
  return signed.headers
}

const bodyHeaders = (body: string): Record<string, string> => ({
  'content-digest': digestOf(body),
  'content-type': 'application/json',
})
