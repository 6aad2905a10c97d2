import type { Db, Tx } from '@svc/core'
import type { LockedAccount } from '../../accounts/lock-account.ts'
import * as store from './store.ts'

/** Whose account it is by now; null for nobody's. */
export async function findLinked(db: Db, elsewhere: store.Elsewhere) {
  return (await store.findByIdentity(db, elsewhere))?.userId ?? null
}

/** A way in that an account had where it comes from. False when either side is linked already. */
export function importLink(
  tx: Tx,
  { userId }: LockedAccount,
  link: store.Elsewhere & { linkedAt: Date },
) {
  return store.insertLink(tx, { ...link, userId })
}
