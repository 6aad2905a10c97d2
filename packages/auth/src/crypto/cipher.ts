import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { defineEnv, type EnvironmentSource, type Variable } from '@svc/core'

const algorithm = 'aes-256-gcm'
const ivLength = 12
// Node would accept a tag of 4 bytes, which can be guessed.
const authTagLength = 16

/**
 * What a secret belongs to, such as its kind and its owner: it can't be decrypted for anything
 * else.
 */
type BoundTo = readonly string[]

/** A secret as it is stored: `enc:v2:<keyId>:<iv>:<ciphertext>:<tag>` in base64url, under the active key. */
export function encrypt(keyring: Keyring, plaintext: string, boundTo: BoundTo) {
  const keyId = keyring.activeKeyId
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, keyOf(keyring, keyId), iv, { authTagLength })
  cipher.setAAD(authenticated(boundTo))
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  const parts = [iv, ciphertext, cipher.getAuthTag()]
  return ['enc:v2', keyId, ...parts.map((part) => part.toString('base64url'))].join(':')
}

/**
 * `isStale` if it is time to encrypt it again: it was sealed with another key than the active one.
 */
export function decrypt(keyring: Keyring, stored: string, boundTo: BoundTo) {
  const { keyId, ...sealed } = readStored(stored)
  const key = keyOf(keyring, keyId)
  try {
    const plaintext = open(key, sealed, boundTo)
    return { plaintext, isStale: keyId !== keyring.activeKeyId }
  } catch {
    throw new UnreadableSecretError(
      `A stored value that key ${keyId} encrypted was changed, or was moved from another place.`,
    )
  }
}

/**
 * Reads the previous form, `enc:v1:<iv>:<ciphertext>:<tag>`. It names no key, so each key is tried,
 * and it is bound to nothing. It is never written.
 */
export function decryptLegacy({ keys }: Keyring, stored: string) {
  const sealed = readParts(legacyPattern.exec(stored)?.slice(1) ?? [])
  for (const key of keys.values()) {
    try {
      return open(key, sealed)
    } catch {
      // Another key may fit.
    }
  }
  throw new UnreadableSecretError(
    'A stored value of the form enc:v1 was changed, or its key is no longer in SVC_AUTH_TOKEN_ENCRYPTION_KEYS.',
  )
}

interface Sealed {
  iv: Buffer
  ciphertext: Buffer
  tag: Buffer
}

function open(key: KeyObject, { iv, ciphertext, tag }: Sealed, boundTo?: BoundTo) {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength })
  if (boundTo) decipher.setAAD(authenticated(boundTo))
  decipher.setAuthTag(tag)
  const plaintext = decipher.update(ciphertext)
  // The plaintext can't be trusted before this has checked the tag.
  return Buffer.concat([plaintext, decipher.final()]).toString('utf8')
}

/** As a JSON array, no two lists are written the same. */
const authenticated = (boundTo: BoundTo) => Buffer.from(JSON.stringify(boundTo))

const storedPattern = /^enc:v2:([\w.-]{1,64}):([\w-]{16}):([\w-]*):([\w-]{22})$/
const legacyPattern = /^enc:v1:([\w-]{16}):([\w-]*):([\w-]{22})$/

function readStored(stored: string) {
  const [, keyId = '', ...texts] = storedPattern.exec(stored) ?? []
  return { keyId, ...readParts(texts) }
}

function readParts(texts: string[]): Sealed {
  const [iv, ciphertext, tag] = texts.map((text) => Buffer.from(text, 'base64url'))
  if (!iv || !ciphertext || !tag) throw malformed()
  const sealed = { iv, ciphertext, tag }
  // The last character of a part may have bits to spare. One secret must have one spelling.
  const isCanonical = Object.values(sealed).every(
    (part, at) => part.toString('base64url') === texts[at],
  )
  if (!isCanonical) throw malformed()
  return sealed
}

function malformed() {
  return new UnreadableSecretError(
    'A stored value does not have the form enc:v2:<keyId>:<iv>:<ciphertext>:<tag>.',
  )
}

/** What encrypts provider tokens and second factors. */
export interface Keyring {
  /** The key for all that is written from now on. */
  readonly activeKeyId: string
  readonly keys: ReadonlyMap<string, KeyObject>
}

// A colon would end the id where it is written: `enc:v2:<keyId>:…`. 32 bytes are 43 characters and
// one of padding.
const entryPattern = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/

const keyring: Variable<Keyring | null> = (given) => {
  if (given === undefined) return { value: null }
  const entries = given.split(',').map((entry) => readEntry(entry.trim()))
  const wrong = entries.indexOf(null)
  if (wrong !== -1) {
    const place = `entry ${wrong + 1} is not`
    return { problem: `must be a list of <keyId>:<base64 of 32 bytes>; ${place}` }
  }
  const keys = new Map(entries.filter((entry) => entry !== null))
  const [activeKeyId] = keys.keys()
  return activeKeyId !== undefined && keys.size === entries.length
    ? { value: { activeKeyId, keys } }
    : { problem: 'must name each key id once' }
}

function readEntry(entry: string) {
  const [, keyId, text] = entryPattern.exec(entry) ?? []
  if (keyId === undefined || text === undefined) return null
  const bytes = Buffer.from(text, 'base64')
  // The last character has bits to spare: if those are set, the key was mistyped.
  return bytes.toString('base64') === text ? ([keyId, createSecretKey(bytes)] as const) : null
}

const readVariables = defineEnv({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keyring })

/** The configured keys, or `null`. The first is the active one. */
export function readKeyring(source: EnvironmentSource) {
  return readVariables(source).SVC_AUTH_TOKEN_ENCRYPTION_KEYS
}

/**
 * A stored secret cannot be read. The message names the key that is needed, and nothing of the
 * secret.
 */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError'
}

export function keyOf({ keys }: Keyring, keyId: string) {
  const key = keys.get(keyId)
  if (key) return key
  throw new UnreadableSecretError(`SVC_AUTH_TOKEN_ENCRYPTION_KEYS has no key ${keyId}.`)
}
