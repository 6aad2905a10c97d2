import type { Db, Tx } from '@svc/core'
import { deleteChallengesOf, overdueChallenges } from '../sign-in/challenge-store.ts'
import { endChallenge } from './burn-challenge.ts'
import { deleteRecoveryCodes } from './recovery-code-store.ts'
import { deleteTotp, forgetPendingTotp } from './totp-store.ts'

/** Forgets the sign-ins that nobody can finish any more, and the authenticator apps that nobody has confirmed. */
export async function forgetUnfinished(db: Db, now: Date) {
  for (const challenge of await overdueChallenges(db, now)) {
    const end = { challenge, reason: 'second_factor_expired', now }
    await db.transaction((tx) => endChallenge(tx, end))
  }
  await forgetPendingTotp(db, now)
}

/** For an account that goes. */
export async function forgetFactorsOf(tx: Tx, userId: string) {
  await deleteTotp(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await deleteChallengesOf(tx, userId)
}
