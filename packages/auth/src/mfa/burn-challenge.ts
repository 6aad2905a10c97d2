import type { Db } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { buryPending } from '../keys/bury-pending.ts'
import { mostTries, type SignInChallenge, spendChallenge } from './store.ts'

/** After the last of its tries, nobody can finish the sign-in: its key is gone for good. */
export async function burnChallenge(
  db: Db,
  { challenge, now }: { challenge: SignInChallenge; now: Date },
) {
  if (challenge.tries < mostTries) return
  await endChallenge(db, { challenge, reason: 'second_factor_failed', now })
}

interface End {
  challenge: SignInChallenge
  reason: string
  now: Date
}

/** Takes the challenge away, and with it the key that waits. The account first, as everywhere. */
export async function endChallenge(db: Db, { challenge, reason, now }: End) {
  await db.transaction(async (tx) => {
    await lockAccount(tx, challenge.userId)
    // A sign-in that was sent again meanwhile has put another in its place.
    if (!(await spendChallenge(tx, challenge))) return
    await buryPending(tx, { keyIds: [challenge.keyId], reason, now })
  })
}
