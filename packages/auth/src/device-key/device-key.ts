import type { SigningKey } from '@svc/core/client'
import type { KeyAlgorithm } from '../crypto/contract.ts'

/** Which of the keys on this device: for `openDeviceKey`. */
export interface DeviceKeyName {
  /** The name the key is stored under, for applications with several. `default` unless set. */
  name?: string
}

/** For `createDeviceKey`: where the key is stored, and its algorithm, `ES256` unless set. */
export interface CreateDeviceKeyOptions extends DeviceKeyName {
  algorithm?: DeviceKey['algorithm']
}

/** For `deleteDeviceKey`: which stored key to delete. */
export interface DeleteDeviceKeyOptions extends DeviceKeyName {
  /** Deletes this key only: another tab may have made a new one since. */
  keyId?: string
}

/**
 * Makes a key pair and stores it in IndexedDB, replacing an earlier one. The private key can't be
 * exported.
 *
 * The pair and its id are always new, because a key id is never accepted again after logout,
 * revocation or rotation. Tabs that call this at the same moment get the same new key, so each of
 * them may register it.
 */
export async function createDeviceKey({
  name = 'default',
  algorithm = 'ES256',
}: CreateDeviceKeyOptions = {}): Promise<DeviceKey> {
  const before = await openDeviceKey({ name })
  const fresh = await makeKey(algorithm)
  const kept = await exchange(name, (current) =>
    current === null || current.keyId === before?.keyId ? fresh : current,
  )
  return kept ?? fresh
}

/** The key that is stored under the name, or null. */
export function openDeviceKey({ name = 'default' }: DeviceKeyName = {}): Promise<DeviceKey | null> {
  return exchange(name, (current) => current)
}

/** Deletes a key on this device. The server accepts it until it is revoked, which logout does. */
export async function deleteDeviceKey({ name = 'default', keyId }: DeleteDeviceKeyOptions = {}) {
  await exchange(name, (current) =>
    keyId === undefined || current?.keyId === keyId ? null : current,
  )
}

async function makeKey(algorithm: DeviceKey['algorithm']): Promise<DeviceKey> {
  const { publicKey, privateKey } = await generateKeyPair({ algorithm, extractable: false })
  const keyId = freshKeyId()
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
  const registration = await describeKey(spki, { keyId, algorithm })
  return { keyId, algorithm, privateKey, registration }
}

type Next = (current: DeviceKey | null) => DeviceKey | null

/**
 * Stores what `next` makes of the stored key. It is one transaction, so concurrent tabs run one
 * after the other.
 */
async function exchange(name: string, next: Next): Promise<DeviceKey | null> {
  const database = await openDatabase()
  try {
    return await new Promise((resolve, reject) => {
      // Flushed to the disk: the server must not know a key that this device has lost.
      const transaction = database.transaction('keys', 'readwrite', { durability: 'strict' })
      const keys = transaction.objectStore('keys')
      const reading: IDBRequest<DeviceKey | undefined> = keys.get(name)
      let kept: DeviceKey | null = null
      reading.addEventListener('success', () => {
        const current = reading.result ?? null
        kept = next(current)
        if (kept === null) keys.delete(name)
        else if (kept !== current) keys.put(kept, name)
      })
      transaction.addEventListener('complete', () => resolve(kept))
      transaction.addEventListener('abort', () => reject(unkept(transaction.error)))
    })
  } finally {
    database.close()
  }
}

function openDatabase() {
  if (!globalThis.indexedDB) throw unkept()
  return new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('svc-device-keys', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keys'))
    opening.addEventListener('success', () => resolve(opening.result))
    opening.addEventListener('error', () => reject(unkept(opening.error)))
  })
}

function unkept(cause?: unknown) {
  const message =
    'The device key cannot be stored, because this browser gives the page no IndexedDB. Leave private browsing, or use another browser.'
  return new DeviceKeyError(message, { cause })
}

/** The members of a key that registering and signing in take. */
export interface KeyRegistration {
  /** SPKI in DER, in base64. */
  publicKey: string
  keyId: string
  /** SHA-256 of the DER bytes, in lowercase hex. */
  fingerprint: string
  algorithm: KeyAlgorithm
}

/** A key of this device. It can sign, and can't be exported. */
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
  /** Whether the private key can be exported, in order to be written elsewhere. */
  extractable: boolean
}

export async function generateKeyPair({ algorithm, extractable }: NewKey) {
  requireWebCrypto()
  return crypto.subtle.generateKey(keyParameters[algorithm], extractable, ['sign', 'verify'])
}

function requireWebCrypto() {
  // Browsers hide it from pages loaded over plain http.
  if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle) return
  throw new DeviceKeyError(
    'WebCrypto is missing. In a browser, open the page over https or on localhost.',
  )
}

/** An id that no key has had: 122 random bits. */
export function freshKeyId() {
  return `dk_${crypto.randomUUID().replaceAll('-', '')}`
}

/** The public half of a key, as a server takes it. */
export async function describeKey(
  spki: Uint8Array<ArrayBuffer>,
  { keyId, algorithm }: Pick<KeyRegistration, 'keyId' | 'algorithm'>,
): Promise<KeyRegistration> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki))
  const fingerprint = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { publicKey: btoa(String.fromCharCode(...spki)), keyId, fingerprint, algorithm }
}

/** A key that its maker stores elsewhere, as a web proxy does in a sealed cookie. */
export interface PortableKey {
  keyId: string
  algorithm: SigningKey['algorithm']
  /** PKCS #8 in DER, in base64. */
  privateKey: string
}

/** Makes a key pair that can be exported, with its public half as a server takes it. */
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

/** Imports the key for signing. From here on it can't be exported any more. */
export async function openPortableKey(key: PortableKey): Promise<SigningKey> {
  const { keyId, algorithm } = key
  const pkcs8 = Uint8Array.from(atob(key.privateKey), (character) => character.charCodeAt(0))
  const parameters = keyParameters[algorithm]
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, parameters, false, ['sign'])
  return { keyId, algorithm, privateKey }
}

/** Why this device cannot make, keep or read its key. */
export class DeviceKeyError extends Error {
  override readonly name = 'DeviceKeyError'
}
