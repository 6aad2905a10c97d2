// The default import: Node 22 has no argon2Sync, and to name it in the import would not load there.
import crypto from 'node:crypto'
import type { Argon2Cost } from './stored-hash.ts'

/** Node has all kinds of it from 24.7 on. */
export const hasArgon2id = typeof crypto.argon2Sync === 'function'

interface Argon2Input extends Argon2Cost {
  nonce: Buffer
  tagLength: number
}

export function argon2id(message: string, input: Argon2Input) {
  return argon2('argon2id', { message, ...input })
}

export function argon2(
  kind: 'argon2id' | 'argon2i' | 'argon2d',
  input: Argon2Input & { message: string },
) {
  return crypto.argon2Sync(kind, input)
}
