import { createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from '../crypto/cipher.ts'
import { deriveKey } from '../crypto/derive-key.ts'
import type { TokenAnswer } from './contract.ts'

/** What a refresh token was spent for. */
export interface Successor {
  /** The scopes that were asked for. */
  asked: string[]
  answer: TokenAnswer
}

const keyId = 'refresh-token'

/**
 * The key comes from the spent token, of which the table has only a hash: a copy of the database opens nothing. An
 * attacker who has the token could have spent it.
 */
function keyringOf(spentToken: string) {
  const key = createSecretKey(deriveKey(spentToken, 'refresh successors'))
  return { activeKeyId: keyId, keys: new Map([[keyId, key]]) }
}

export function sealSuccessor(spentToken: string, grantId: string, successor: Successor) {
  return encrypt(keyringOf(spentToken), JSON.stringify(successor), [grantId])
}

export function openSuccessor(spentToken: string, grantId: string, sealed: string): Successor {
  // What opens under this key is what the function above has written.
  return JSON.parse(decrypt(keyringOf(spentToken), sealed, [grantId]).plaintext) as Successor
}
