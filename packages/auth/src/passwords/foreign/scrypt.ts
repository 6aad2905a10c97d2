import { createCipheriv, scryptSync } from 'node:crypto'
import { fromBase64, toBase64 } from '../stored-hash.ts'
import { type ForeignHash, type ForeignScheme, isUsualDigest } from './foreign-hash.ts'

const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,5}),p=(\d{1,5})\$([^$]+)\$([^$]+)$/
// The salt is text, between N and r.
const django = /^scrypt\$(\d{1,9})\$([^$]+)\$(\d{1,5})\$(\d{1,5})\$([^$]+)$/

/** PHC strings, as passlib writes them too, and Django's. */
export const scryptScheme: ForeignScheme = {
  name: 'scrypt',
  recognises: (stored) => /^\$?scrypt\$/.test(stored),
  read(stored) {
    const [, logOfBlocks, r, p, salt = '', digest = ''] = phc.exec(stored) ?? []
    if (logOfBlocks)
      return hashOf(costOf(2 ** Number(logOfBlocks), r, p), fromBase64(salt), fromBase64(digest))
    const [, blocks, text = '', blockSize, lanes, tag = ''] = django.exec(stored) ?? []
    return hashOf(costOf(Number(blocks), blockSize, lanes), Buffer.from(text), fromBase64(tag))
  },
}

function costOf(blocks: number, blockSize = '', lanes = '') {
  return { blocks, blockSize: Number(blockSize), lanes: Number(lanes) }
}

function hashOf(
  cost: ScryptCost,
  salt: Buffer | null,
  digest: Buffer | null,
): ReturnType<ForeignScheme['read']> {
  if (!salt || !digest || !isUsualDigest(digest)) return 'hash_malformed'
  const input = { ...cost, salt, length: digest.length }
  const hash: ForeignHash = { digest, derive: (password) => scrypt(password, input) }
  return scryptProblem(cost) ?? hash
}

const betterAuthForm = /^([0-9a-f]{32}):([0-9a-f]*)$/i
const betterAuthCost = { blocks: 16_384, blockSize: 16, lanes: 1, length: 64 }

/** The salt is used as the text in which it is written, and the password in NFKC. */
export const betterAuthScheme: ForeignScheme = {
  name: 'better-auth',
  recognises: (stored) => betterAuthForm.test(stored),
  read(stored) {
    const [, salt = '', key = ''] = betterAuthForm.exec(stored) ?? []
    const digest = Buffer.from(key, 'hex')
    if (key.length !== 2 * betterAuthCost.length) return 'hash_malformed'
    const input = { ...betterAuthCost, salt: Buffer.from(salt) }
    return { digest, derive: (password) => scrypt(password.normalize('NFKC'), input) }
  },
}

/**
 * A project's password hash parameters in the Firebase console. The signer key is a secret of the
 * project.
 */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: number
  memCost: number
}

const form = /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,3})\$([^$]*)\$([^$]+)\$([^$]+)\$([^$]+)$/

/**
 * One text with everything needed to verify it, because a database may hold users of several
 * projects.
 */
export function firebaseHash(
  { signerKey, saltSeparator, rounds, memCost }: FirebaseParameters,
  { salt, hash }: { salt: string; hash: string },
) {
  const parts = [saltSeparator, signerKey, salt, hash].map((part) => fromBase64(part))
  if (parts.includes(null)) return '$firebase-scrypt$'
  const texts = parts.map((part) => toBase64(part as Buffer))
  return `$firebase-scrypt$ln=${memCost},r=${rounds}$${texts.join('$')}`
}

/** scrypt makes a key, and the project's signer key, encrypted with it, is what is stored. */
export const firebaseScheme: ForeignScheme = {
  name: 'firebase',
  recognises: (stored) => stored.startsWith('$firebase-scrypt$'),
  read(stored) {
    const [, memCost, rounds, ...texts] = form.exec(stored) ?? []
    const [separator, signerKey, salt, digest] = texts.map((text) => fromBase64(text))
    if (!separator || !signerKey || !salt || !digest) return 'hash_malformed'
    if (!isUsualDigest(digest) || signerKey.length !== digest.length) return 'hash_malformed'
    const cost: ScryptCost = { blocks: 2 ** Number(memCost), blockSize: Number(rounds), lanes: 1 }
    const input = { ...cost, salt: Buffer.concat([salt, separator]), length: 64 }
    const derive = (password: string) => encrypt(signerKey, scrypt(password, input))
    return scryptProblem(cost) ?? { digest, derive }
  },
}

function encrypt(signerKey: Buffer, derived: Buffer) {
  return createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16)).update(signerKey)
}

/** RFC 7914: `blocks` is N, `blockSize` r and `lanes` p. */
interface ScryptCost {
  blocks: number
  blockSize: number
  lanes: number
}

interface ScryptInput extends ScryptCost {
  salt: Buffer
  length: number
}

/** 256 MiB at 128 bytes each, which is twice OWASP's recommendation. */
const mostBlocks = 2 ** 21
/** Four times OWASP's recommendation: two seconds of a core. */
const mostWork = 2 ** 22
/** Most have eight, better-auth sixteen. */
const mostBlockSize = 64
/**
 * OWASP has up to ten. With more, N = 2 would leave the work to PBKDF2, which `mostWork` does not
 * count: six seconds.
 */
const mostLanes = 64

function scryptProblem({ blocks, blockSize, lanes }: ScryptCost) {
  const isPower = Number.isSafeInteger(blocks) && Number.isInteger(Math.log2(blocks))
  if (!isPower || blocks < 2 || blockSize < 1 || lanes < 1) return 'hash_malformed' as const
  // RFC 7914, 2: N is less than 2^(128 * r / 8).
  if (Math.log2(blocks) >= 16 * blockSize) return 'hash_malformed' as const
  return isTooCostly({ blocks, blockSize, lanes }) ? ('hash_too_costly' as const) : null
}

function isTooCostly({ blocks, blockSize, lanes }: ScryptCost) {
  if (blockSize > mostBlockSize || lanes > mostLanes) return true
  return blocks * blockSize > mostBlocks || blocks * blockSize * lanes > mostWork
}

function scrypt(password: string, input: ScryptInput) {
  const { blocks: N, blockSize: r, lanes: p, salt, length } = input
  // OpenSSL counts the blocks, those of the lanes, and some more.
  return scryptSync(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) + 2 ** 20 })
}
