import type { Needs } from '../auth.ts'
import { decrypt, encrypt } from '../crypto/cipher.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { MfaUnavailableError } from './errors.ts'

/** Without it there is nothing that a secret could be kept with. */
export function requireKeyring({ keyring }: Needs<'keyring'>): Keyring {
  if (!keyring) throw new MfaUnavailableError()
  return keyring
}

const boundTo = (userId: string) => ['totp', userId]

export function sealSecret(keyring: Keyring, userId: string, secret: string) {
  return encrypt(keyring, secret, boundTo(userId))
}

export function openSecret(keyring: Keyring, userId: string, sealed: string) {
  return decrypt(keyring, sealed, boundTo(userId))
}
