import { randomBytes } from 'node:crypto'

export type HashScheme = 'bcrypt' | 'argon2id'

/** The scheme and cost of new hashes. `rounds` is bcrypt's; argon2id has `argon2idCost`. */
export interface HashTarget {
  scheme: HashScheme
  rounds: number
}

export interface BcryptHash {
  scheme: 'bcrypt'
  rounds: number
  salt: Buffer
  digest: Buffer
}

export interface Argon2Cost {
  memory: number
  passes: number
  parallelism: number
}

export interface Argon2idHash extends Argon2Cost {
  scheme: 'argon2id'
  nonce: Buffer
  tag: Buffer
}

/** A hash that was made here, of the pre-hashed password. */
type OwnHash = BcryptHash | Argon2idHash

const ownPrefix = 'svc1$'
/** OWASP's Password Storage Cheat Sheet; memory is in KiB. */
export const argon2idCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 }

const bcrypt = /^\$2b\$(0[4-9]|1[0-6])\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/
const argon2id =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Null for a value that was not made here: foreign/ may recognise it. */
export function parseOwnHash(stored: string): OwnHash | null {
  if (!stored.startsWith(ownPrefix)) return null
  const text = stored.slice(ownPrefix.length)
  return parseBcrypt(text) ?? parseArgon2id(text)
}

function parseBcrypt(text: string): BcryptHash | null {
  const [, rounds, salt, digest] = bcrypt.exec(text) ?? []
  if (!salt || !digest) return null
  return {
    scheme: 'bcrypt',
    rounds: Number(rounds),
    salt: fromBcryptBase64(salt),
    digest: fromBcryptBase64(digest),
  }
}

function parseArgon2id(text: string): Argon2idHash | null {
  const [, memory, passes, parallelism, nonce, tag] = argon2id.exec(text) ?? []
  if (!nonce || !tag) return null
  return {
    scheme: 'argon2id',
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

export function ownBcrypt(text: string) {
  return ownPrefix + text
}

export function ownArgon2id(nonce: Buffer, tag: Buffer) {
  const { memory, passes, parallelism } = argon2idCost
  const [salt, hash] = [nonce, tag].map(toBase64)
  return `${ownPrefix}$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${hash}`
}

/**
 * Whether the next correct password should be hashed again: the value was imported, or made with
 * another scheme or cost.
 */
export function needsRehash(stored: string, { scheme, rounds }: HashTarget) {
  const hash = parseOwnHash(stored)
  if (hash?.scheme !== scheme) return true
  return hash.scheme === 'bcrypt' ? hash.rounds !== rounds : !hasCost(hash, argon2idCost)
}

function hasCost(hash: Argon2Cost, { memory, passes, parallelism }: Argon2Cost) {
  return hash.memory === memory && hash.passes === passes && hash.parallelism === parallelism
}

/**
 * A value that no password matches, and that costs as much as a new hash. Its digest is random, not
 * computed.
 */
export function createDummyHash({ scheme, rounds }: HashTarget) {
  if (scheme === 'argon2id') return ownArgon2id(randomBytes(16), randomBytes(32))
  const cost = String(rounds).padStart(2, '0')
  // Sixteen bytes fill 21 of bcrypt's 22 characters of salt and a quarter of the last.
  const salt = `${randomBytes(16).toString('hex').slice(0, 21)}u`
  return ownBcrypt(`$2b$${cost}$${salt}${randomBytes(16).toString('hex').slice(0, 31)}`)
}

const form = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Base64 of either alphabet, or passlib's, which writes a full stop for a plus. Null if it is
 * neither.
 */
export function fromBase64(text: string) {
  const standard = text.replaceAll('.', '+').replaceAll('-', '+').replaceAll('_', '/')
  return form.test(standard) ? Buffer.from(standard, 'base64') : null
}

/** Without padding, as PHC strings have it. */
export function toBase64(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bcryptAlphabet = `./${letters}0123456789`
const usualAlphabet = `${letters}0123456789+/`

/** bcrypt orders the bits as base64 does, and has its own alphabet. */
export function fromBcryptBase64(text: string) {
  const usual = text.replaceAll(/./g, (each) => usualAlphabet[bcryptAlphabet.indexOf(each)] ?? '')
  return Buffer.from(usual, 'base64')
}

/**
 * Why a stored text cannot be verified here. These appear in reports, so they never contain the
 * text itself.
 */
export type HashProblem =
  | 'hash_unknown'
  | 'hash_malformed'
  | 'hash_too_costly'
  | 'hash_needs_newer_node'
