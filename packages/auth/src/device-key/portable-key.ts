import type { SigningKey } from '@svc/core/client'
import {
  describeKey,
  freshKeyId,
  generateKeyPair,
  type KeyRegistration,
  keyParameters,
} from './device-key.ts'

/** A key that its maker keeps elsewhere, as a web proxy does in a sealed cookie. */
export interface PortableKey {
  keyId: string
  algorithm: SigningKey['algorithm']
  /** PKCS #8 in DER, in base64. */
  privateKey: string
}

/** Makes a key pair that can be read out, and what a server is to be told of it. */
export async function createPortableKey(): Promise<
  PortableKey & { registration: KeyRegistration }
> {
  const named = { keyId: freshKeyId(), algorithm: 'ES256' } as const
  const pair = await generateKeyPair({ algorithm: named.algorithm, extractable: true })
  const [spki, pkcs8] = await Promise.all([
    crypto.subtle.exportKey('spki', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ])
  const registration = await describeKey(new Uint8Array(spki), named)
  return { ...named, privateKey: btoa(String.fromCharCode(...new Uint8Array(pkcs8))), registration }
}

/** The key as it signs. From here on it cannot be read out any more. */
export async function openPortableKey(key: PortableKey): Promise<SigningKey> {
  const { keyId, algorithm } = key
  const pkcs8 = Uint8Array.from(atob(key.privateKey), (character) => character.charCodeAt(0))
  const parameters = keyParameters[algorithm]
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, parameters, false, ['sign'])
  return { keyId, algorithm, privateKey }
}
