import { createHash, randomUUID, sign } from 'node:crypto'
import type { TestKey } from '../../testing.ts'

/** A request as a device sends it. */
export interface Proved {
  key: TestKey
  /** The user id of the key's owner. */
  clientId: string
  now: Date
  method?: string
  path?: string
  body?: string
  nonce?: string
  issuedAt?: number | string
  /** What is signed where that is not what is sent, by its place among the lines. */
  signed?: Record<number, string>
  /** What is sent where that is not what is signed; empty for a header that is left out. */
  headers?: Record<string, string>
}

/** What a device signs, written apart from the code under test. */
export function inputOf({ key, clientId, now, ...given }: Proved) {
  const { method = 'POST', path = '/_auth/keys/list', body = '{}', nonce = randomUUID() } = given
  const { issuedAt = now.getTime(), signed = {} } = given
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const lines = ['clientProofV1', method, path, clientId, key.keyId, nonce, `${issuedAt}`, bodyHash]
  return Object.assign(lines, signed).join('\n')
}

/** The headers that prove a request. */
export async function proofOf(given: Proved): Promise<Record<string, string>> {
  const { key, clientId, now, nonce = randomUUID(), issuedAt = now.getTime() } = given
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key.privateKey))
  const privateKey = { key: pkcs8, format: 'der', type: 'pkcs8' } as const
  const input = Buffer.from(inputOf({ ...given, nonce }))
  const signature = sign('sha256', input, { ...privateKey, dsaEncoding: 'ieee-p1363' })
  const headers = {
    'content-type': 'application/json',
    'x-svc-auth-profile': 'clientProofV1',
    'x-svc-client-id': clientId,
    'x-svc-key-id': key.keyId,
    'x-svc-nonce': nonce,
    'x-svc-issued-at': `${issuedAt}`,
    'x-svc-proof': signature.toString('hex'),
    ...given.headers,
  }
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
}
