import { createHash, randomBytes } from 'node:crypto'

declare const hashed: unique symbol

/** SHA-256 of a one-time secret. Stores accept this type only, so a plaintext secret cannot reach a row. */
export type TokenHash = string & { readonly [hashed]: true }

/** A secret that nobody can guess: 32 random bytes. */
export function newToken() {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): TokenHash {
  // The only place that makes one.
  return createHash('sha256').update(token).digest('hex') as TokenHash
}
