// The default import: Node 22 has no argon2Sync, and to name it in the import would not load there.
import crypto from 'node:crypto'
import type { Argon2idCost } from './stored-hash.ts'

/** Node has it from 24.7 on. */
export const hasArgon2id = typeof crypto.argon2Sync === 'function'

interface Argon2idInput extends Argon2idCost {
  nonce: Buffer
  tagLength: number
}

export function argon2id(message: string, input: Argon2idInput) {
  return crypto.argon2Sync('argon2id', { message, ...input })
}
