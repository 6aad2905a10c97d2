import type { Db } from '@svc/core'
import { deleteUnused, lockExpired } from './store.ts'

// Of a flood of registrations, as many as a statement takes easily.
const most = 5000

/**
 * Forgets the clients that nobody has granted anything to, once their time is over. Whether there is a grant is looked
 * at once more after the lock: one that was made meanwhile would go with its client.
 */
export async function forgetClients(db: Db, now: Date) {
  let locked = most
  while (locked === most) {
    locked = await db.transaction(async (tx) => {
      const clientIds = await lockExpired(tx, now, most)
      await deleteUnused(tx, clientIds)
      return clientIds.length
    })
  }
}
