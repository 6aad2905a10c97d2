import { type DeviceKey, describeKey, freshKeyId, generateKeyPair } from './device-key.ts'
import { DeviceKeyError } from './device-key-error.ts'

export interface DeviceKeyName {
  /** What the key is kept under, for applications with several. `default` unless set. */
  name?: string
}

export interface CreateDeviceKeyOptions extends DeviceKeyName {
  algorithm?: DeviceKey['algorithm']
}

export interface DeleteDeviceKeyOptions extends DeviceKeyName {
  /** Deletes this key only: another tab may have made a new one since. */
  keyId?: string
}

/**
 * Makes a key pair and keeps it in IndexedDB in place of the one that was there. The private key cannot be read out.
 *
 * The pair and its id are always fresh: after logout, revocation or rotation a key id is dead for ever. Tabs that call
 * this at the same moment get the same new key, so that each may register it.
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

/** The key that is kept under the name, or null. */
export function openDeviceKey({ name = 'default' }: DeviceKeyName = {}): Promise<DeviceKey | null> {
  return exchange(name, (current) => current)
}

/** Forgets a key on this device. The server knows it until it is revoked, which logout does. */
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

/** Keeps what `next` makes of the kept key. It is one transaction, so of racing tabs one comes after the other. */
async function exchange(name: string, next: Next): Promise<DeviceKey | null> {
  const database = await openDatabase()
  try {
    return await new Promise((resolve, reject) => {
      // Written through to the disk: the server must not know a key that this device has lost.
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
    'The device key cannot be kept: this browser, or a private window of it, gives the page no IndexedDB.'
  return new DeviceKeyError(message, { cause })
}
