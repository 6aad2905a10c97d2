import type { Db } from '@svc/core'
import { isSoundKey } from '../webauthn/passkey-key.ts'
import { type PasskeyRow, passkeysOf } from './store.ts'

/** One that was kept before keys were checked as they are today may have none: it is listed and taken away, no more. */
export function canSign({ publicKey }: Pick<PasskeyRow, 'publicKey'>) {
  return isSoundKey(Buffer.from(publicKey, 'base64url'))
}

/** The passkeys of an account that are a way in. */
export async function signingPasskeysOf(db: Db, userId: string) {
  return (await passkeysOf(db, userId)).filter(canSign)
}
