import { randomBytes } from 'node:crypto'

export type HashScheme = 'bcrypt' | 'argon2id'

/** What new hashes are made with. `rounds` is bcrypt's; argon2id has `argon2idCost`. */
export interface HashTarget {
  scheme: HashScheme
  rounds: number
}

interface BcryptHash {
  scheme: 'bcrypt'
  rounds: number
  text: string
}

export interface Argon2idCost {
  memory: number
  passes: number
  parallelism: number
}

interface Argon2idHash extends Argon2idCost {
  scheme: 'argon2id'
  nonce: Buffer
  tag: Buffer
}

/** `isOwn`: made here, of the pre-hashed password. Any other was imported, and made of the password as it was sent. */
export type StoredHash = { isOwn: boolean } & (BcryptHash | Argon2idHash)

const ownPrefix = 'svc1$'
/** OWASP's Password Storage Cheat Sheet; memory is in KiB. */
export const argon2idCost: Argon2idCost = { memory: 19_456, passes: 2, parallelism: 1 }

// The upper bounds keep an imported row from holding a worker for minutes or taking its memory.
const bcrypt = /^\$2[aby](\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53})$/
const argon2id =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/
const mostMemory = 256 * 1024

/** What a stored value says of itself, or `null` when it has no form that is verified here. */
export function parseStoredHash(stored: string): StoredHash | null {
  const isOwn = stored.startsWith(ownPrefix)
  const text = isOwn ? stored.slice(ownPrefix.length) : stored
  const hash = parseBcrypt(text) ?? parseArgon2id(text)
  return hash && { isOwn, ...hash }
}

function parseBcrypt(text: string): BcryptHash | null {
  const [, rest, rounds] = bcrypt.exec(text) ?? []
  // The letter names an implementation: $2y$ is PHP's $2b$, and $2a$ differs only beyond 254 bytes.
  return rounds ? { scheme: 'bcrypt', rounds: Number(rounds), text: `$2b${rest}` } : null
}

function parseArgon2id(text: string): Argon2idHash | null {
  const [, memory, passes, parallelism, nonce, tag] = argon2id.exec(text) ?? []
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  // RFC 9106, 3.1: at least 8 KiB for each lane.
  if (!nonce || !tag || cost.memory > mostMemory || cost.memory < 8 * cost.parallelism) return null
  const bytes = { nonce: Buffer.from(nonce, 'base64'), tag: Buffer.from(tag, 'base64') }
  return { scheme: 'argon2id', ...cost, ...bytes }
}

export function ownBcrypt(text: string) {
  return ownPrefix + text
}

export function ownArgon2id(nonce: Buffer, tag: Buffer) {
  const { memory, passes, parallelism } = argon2idCost
  const [salt, hash] = [nonce, tag].map((each) => each.toString('base64').replace(/=+$/, ''))
  return `${ownPrefix}$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${hash}`
}

/** Whether the next right password should be hashed again: the value was imported, or made with another scheme or cost. */
export function needsRehash(stored: string, { scheme, rounds }: HashTarget) {
  const hash = parseStoredHash(stored)
  if (!hash?.isOwn || hash.scheme !== scheme) return true
  return hash.scheme === 'bcrypt' ? hash.rounds !== rounds : !hasCost(hash, argon2idCost)
}

function hasCost(hash: Argon2idCost, { memory, passes, parallelism }: Argon2idCost) {
  return hash.memory === memory && hash.passes === passes && hash.parallelism === parallelism
}

/** A value that no password matches and that costs what a new hash costs. Its digest is drawn, not computed. */
export function createDummyHash({ scheme, rounds }: HashTarget) {
  if (scheme === 'argon2id') return ownArgon2id(randomBytes(16), randomBytes(32))
  const cost = String(rounds).padStart(2, '0')
  // Sixteen bytes fill 21 of bcrypt's 22 characters of salt and a quarter of the last.
  const salt = `${randomBytes(16).toString('hex').slice(0, 21)}u`
  return ownBcrypt(`$2b$${cost}$${salt}${randomBytes(16).toString('hex').slice(0, 31)}`)
}
