import type { SigningKey } from '@svc/core/client'
import type { KeyAlgorithm } from '../crypto/key-algorithm.ts'
import { DeviceKeyError } from './device-key-error.ts'

/** What registering and signing in take of a key. */
export interface KeyRegistration {
  /** SPKI in DER, in base64. */
  publicKey: string
  keyId: string
  /** SHA-256 of the DER bytes, in lowercase hex. */
  fingerprint: string
  algorithm: KeyAlgorithm
}

/** A key of this device, which can sign and cannot be read out. */
export interface DeviceKey extends SigningKey {
  registration: KeyRegistration
}

export const keyParameters = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
}

interface NewKey {
  algorithm: SigningKey['algorithm']
  /** Whether the private key can be read out of the object, to be written somewhere. */
  extractable: boolean
}

export async function generateKeyPair({ algorithm, extractable }: NewKey) {
  requireWebCrypto()
  return crypto.subtle.generateKey(keyParameters[algorithm], extractable, ['sign', 'verify'])
}

function requireWebCrypto() {
  // Browsers hide it from pages that came over plain http.
  if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle) return
  throw new DeviceKeyError(
    'There is no WebCrypto here. In a browser a device key needs https or localhost.',
  )
}

/** An id that no key has had: 122 random bits. */
export function freshKeyId() {
  return `dk_${crypto.randomUUID().replaceAll('-', '')}`
}

/** What a server is told of a key, from its public half. */
export async function describeKey(
  spki: Uint8Array<ArrayBuffer>,
  { keyId, algorithm }: Pick<KeyRegistration, 'keyId' | 'algorithm'>,
): Promise<KeyRegistration> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki))
  const fingerprint = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { publicKey: btoa(String.fromCharCode(...spki)), keyId, fingerprint, algorithm }
}
