import type { Db } from '@svc/core'
import { isSoundKey } from '../webauthn/passkey-key.ts'
import { type PasskeyRow, passkeysOf } from './store.ts'

/** A passkey from before keys were checked may have an invalid one: it can only be listed and removed. */
export function canSign({ publicKey }: Pick<PasskeyRow, 'publicKey'>) {
  return isSoundKey(Buffer.from(publicKey, 'base64url'))
}

/** The passkeys of an account that are a way in. */
export async function signingPasskeysOf(db: Db, userId: string) {
  return (await passkeysOf(db, userId)).filter(canSign)
}
