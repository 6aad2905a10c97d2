import type { Db } from '@svc/core'
import { deleteUnused, lockExpired } from './store.ts'

/**
 * Forgets the clients that nobody has granted anything to, once their time is over. Whether there is a grant is looked
 * at once more after the lock: one that was made meanwhile would go with its client.
 */
export async function forgetClients(db: Db, now: Date) {
  await db.transaction(async (tx) => deleteUnused(tx, await lockExpired(tx, now)))
}
