import { createCipheriv } from 'node:crypto'
import { fromBase64, toBase64 } from '../base64.ts'
import { type ForeignScheme, isUsualDigest } from './foreign-hash.ts'
import { type ScryptCost, scrypt, scryptProblem } from './scrypt-cost.ts'

/** What the Firebase console shows as a project's password hash parameters. The signer key is a secret of the project. */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: number
  memCost: number
}

const form = /^\$firebase-scrypt\$ln=(\d{1,2}),r=(\d{1,3})\$([^$]*)\$([^$]+)\$([^$]+)\$([^$]+)$/

/** One text that holds all it takes to verify it, since a database may hold users of several projects. */
export function firebaseHash(
  { signerKey, saltSeparator, rounds, memCost }: FirebaseParameters,
  { salt, hash }: { salt: string; hash: string },
) {
  const parts = [saltSeparator, signerKey, salt, hash].map((part) => fromBase64(part))
  if (parts.includes(null)) return '$firebase-scrypt$'
  const texts = parts.map((part) => toBase64(part as Buffer))
  return `$firebase-scrypt$ln=${memCost},r=${rounds}$${texts.join('$')}`
}

/** scrypt makes a key, and what is kept is the project's signer key, encrypted with it. */
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
