import { createSecretKey, type KeyObject } from 'node:crypto'
import { defineEnv, type EnvironmentSource, type Variable } from '@svc/core'

/** What provider tokens and second factors are encrypted with. */
export interface Keyring {
  /** The key of what is written from now on. */
  readonly activeKeyId: string
  readonly keys: ReadonlyMap<string, KeyObject>
}

// A colon would end the id in what names its key: `enc:v2:<keyId>:…`. 32 bytes are 43 characters and one of padding.
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
  // The last character has bits to spare: with those set, it is a slip of the hand.
  return bytes.toString('base64') === text ? ([keyId, createSecretKey(bytes)] as const) : null
}

const readVariables = defineEnv({ SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keyring })

/** The keys that are configured, or `null`. The first is the active one. */
export function readKeyring(source: EnvironmentSource) {
  return readVariables(source).SVC_AUTH_TOKEN_ENCRYPTION_KEYS
}

/** A secret that was kept cannot be read. It says which key it asks for, and nothing of the secret. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError'
}

export function keyOf({ keys }: Keyring, keyId: string) {
  const key = keys.get(keyId)
  if (key) return key
  throw new UnreadableSecretError(`SVC_AUTH_TOKEN_ENCRYPTION_KEYS has no key ${keyId}.`)
}
