import { createPrivateKey, createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SigningKey } from '@svc/core/client'
import { keyIdPattern } from '../crypto/contract.ts'
import {
  type DeviceKey,
  DeviceKeyError,
  describeKey,
  freshKeyId,
  generateKeyPair,
  keyParameters,
} from '../device-key/device-key.ts'
import { exchangeFile } from './exchange-file.ts'

interface KeyFile {
  /** Where the key is kept, such as `join(homedir(), '.config', 'my-app', 'device-key.json')`. */
  file: string
}

interface CreateKeyFileOptions extends KeyFile {
  algorithm?: SigningKey['algorithm']
}

interface DeleteKeyFileOptions extends KeyFile {
  /** Deletes this key only: another process may have made a new one since. */
  keyId?: string
}

/**
 * Makes a key pair and stores it in a file that only its owner can read, replacing an earlier one.
 * It doesn't replace a file that is not a device key.
 *
 * The pair and its id are always new, because a key id is never accepted again after logout,
 * revocation or rotation. Processes that call this at the same moment get the same new key, so each
 * of them may register it.
 */
export async function createDeviceKey({
  file,
  algorithm = 'ES256',
}: CreateKeyFileOptions): Promise<DeviceKey> {
  const before = await readPrivateFile(file)
  if (before !== null) await readKey(before, file)
  const fresh = await makeKey(algorithm)
  const kept = await exchangeFile(file, (current) =>
    current === null || current === before ? fresh : current,
  )
  return readKey(kept ?? fresh, file)
}

/** The key in the file, or null if there is no file. */
export async function openDeviceKey({ file }: KeyFile): Promise<DeviceKey | null> {
  const text = await readPrivateFile(file)
  return text === null ? null : readKey(text, file)
}

/** Deletes a key on this device. The server accepts it until it is revoked, which logout does. */
export async function deleteDeviceKey({ file, keyId }: DeleteKeyFileOptions) {
  if (!existsSync(file)) return
  await exchangeFile(file, (current) =>
    keyId === undefined || current === null || parseKey(current)?.keyId === keyId ? null : current,
  )
}

async function makeKey(algorithm: SigningKey['algorithm']) {
  const { privateKey } = await generateKeyPair({ algorithm, extractable: true })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  const kept: KeptKey = { keyId: freshKeyId(), algorithm, privateKey: pkcs8.toString('base64') }
  return `${JSON.stringify(kept, null, 2)}\n`
}

/** The text of a file that only its owner can read, or null if there is no file. */
async function readPrivateFile(path: string) {
  const file = await openIfThere(path)
  if (file === null) return null
  try {
    // The mode of the opened file: another may be at the path by now.
    const { mode } = await file.stat()
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new DeviceKeyError(
        `${path} contains a private key that other users of this machine can read. If no one has read it yet, run: chmod 600 '${path}'`,
      )
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function readKey(text: string, file: string): Promise<DeviceKey> {
  const kept = parseKey(text)
  const key = kept && (await importKey(kept))
  if (!key)
    throw new DeviceKeyError(
      `${file} is not a device key, or it is damaged. Delete it and sign in again.`,
    )
  return key
}

interface KeptKey {
  keyId: string
  algorithm: SigningKey['algorithm']
  /** PKCS #8 in DER, in base64. */
  privateKey: string
}

/**
 * Parses the key of a file; null if it isn't one. The parser's own message would quote the file.
 */
function parseKey(text: string): KeptKey | null {
  try {
    const { keyId, algorithm, privateKey } = JSON.parse(text) as Record<string, unknown>
    const named = typeof keyId === 'string' && keyIdPattern.test(keyId)
    const known = algorithm === 'ES256' || algorithm === 'RS256'
    return named && known && typeof privateKey === 'string'
      ? { keyId, algorithm, privateKey }
      : null
  } catch {
    return null
  }
}

/** The key of a file, or null if its private key does not fit its algorithm. */
async function importKey({ keyId, algorithm, privateKey }: KeptKey): Promise<DeviceKey | null> {
  const pkcs8 = Buffer.from(privateKey, 'base64')
  try {
    const imported = await crypto.subtle.importKey(
      'pkcs8',
      pkcs8,
      keyParameters[algorithm],
      false,
      ['sign'],
    )
    const registration = await describeKey(publicHalf(pkcs8), { keyId, algorithm })
    return { keyId, algorithm, privateKey: imported, registration }
  } catch {
    return null
  }
}

function publicHalf(pkcs8: Buffer) {
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }))
}
