import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import type { Purpose } from '../purpose.ts'

declare const hashed: unique symbol

/** A keyed hash: a plain one of six digits would give the code away to who reads the row. */
export type CodeHash = string & { readonly [hashed]: true }

/** What a code was made for, and is good for. */
export interface CodeUse {
  identifier: Identifier
  purpose: Purpose
}

/** Bound to target and purpose: the same code for something else has another hash. */
export function hashCode(
  { env }: Needs<'env'>,
  { identifier, purpose }: CodeUse,
  code: string,
): CodeHash {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'codes')
  const { type, value } = identifier
  // The only place that makes one.
  return keyedHash(key, JSON.stringify([type, value, purpose, code])) as CodeHash
}
