import { createTestKey, type TestKey } from '@svc/auth/testing'
import { signRequest } from '@svc/core/client'

export function createDevices(algorithm: TestKey['algorithm'], count: number) {
  return Promise.all(Array.from({ length: count }, () => createTestKey(algorithm)))
}

/** Makes a new signature for each `GET /me`, as Svc's own client does. */
export function signer(device: TestKey, origin: string) {
  return () => signRequest(device, { method: 'GET', url: `${origin}/me` })
}
