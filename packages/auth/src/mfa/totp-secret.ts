import { decrypt, encrypt } from '../crypto/cipher.ts'
import type { Keyring } from '../crypto/keyring.ts'

const boundTo = (userId: string) => ['totp', userId]

export function sealSecret(keyring: Keyring, userId: string, secret: string) {
  return encrypt(keyring, secret, boundTo(userId))
}

export function openSecret(keyring: Keyring, userId: string, sealed: string) {
  return decrypt(keyring, sealed, boundTo(userId))
}
