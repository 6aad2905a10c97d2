import type { Db } from '@svc/core'
import { passkeyItem } from './passkey-item.ts'
import { passkeysOf } from './store.ts'

export async function listPasskeys(db: Db, userId: string) {
  const passkeys = await passkeysOf(db, userId)
  return { passkeys: passkeys.map(passkeyItem) }
}
