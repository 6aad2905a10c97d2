import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import { buryPending } from '../keys/bury-pending.ts'
import { securityPage } from '../notices/security-page.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { mostTries, type SignInChallenge, spendChallenge } from '../sign-in/challenge-store.ts'

export type BurnNeeds = Needs<'db' | 'env' | 'appUrl' | 'notifier' | 'log'>

interface Refused {
  challenge: SignInChallenge
  address: string | null
  now: Date
}

/**
 * After the last of its tries, nobody can finish the sign-in: its key is gone for good. Its owner is told, once: the
 * first factor is known to whoever it was.
 */
export async function burnChallenge(auth: BurnNeeds, { challenge, address, now }: Refused) {
  const { userId, tries } = challenge
  if (tries < mostTries) return
  const at = now.toISOString()
  const facts = { at, address: address ?? undefined, url: securityPage(auth) }
  await auth.db.transaction(async (tx) => {
    if (!(await endChallenge(tx, { challenge, reason: 'second_factor_failed', now }))) return
    await sendNotice(tx, auth, { userId, template: 'second-factor-failed', facts })
  })
}

interface End {
  challenge: SignInChallenge
  reason: string
  now: Date
}

/** Takes the challenge away, and with it the key that waits. The account first, as everywhere. */
export async function endChallenge(tx: Tx, { challenge, reason, now }: End) {
  await lockAccount(tx, challenge.userId)
  // A sign-in that was sent again meanwhile has put another in its place.
  if (!(await spendChallenge(tx, challenge))) return false
  await buryPending(tx, { keyIds: [challenge.keyId], reason, now })
  return true
}
