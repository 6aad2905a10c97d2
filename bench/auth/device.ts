import { createHash, randomUUID } from 'node:crypto'
import { type SigningKey, signRequest } from '@svc/core/client'

/** A key pair with what a server is told of it, as a device of Svc has one. */
export interface Device extends SigningKey {
  publicKey: string
  fingerprint: string
}

const parameters = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
}

export async function createDevice(algorithm: SigningKey['algorithm']): Promise<Device> {
  const pair = await crypto.subtle.generateKey(parameters[algorithm], false, ['sign', 'verify'])

  const spki = Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey))
  return {
    keyId: `key-${randomUUID()}`,
    algorithm,
    privateKey: pair.privateKey,
    publicKey: spki.toString('base64'),
    fingerprint: createHash('sha256').update(spki).digest('hex'),
  }
}

export function createDevices(algorithm: SigningKey['algorithm'], count: number) {
  return Promise.all(Array.from({ length: count }, () => createDevice(algorithm)))
}

/** Signs `GET /me` anew each time, as Svc's own client does. */
export function signer(device: Device, origin: string) {
  return () => signRequest(device, { method: 'GET', url: `${origin}/me` })
}
