import type { Db } from '@svc/core'
import { mfaStatus } from './mfa-status.ts'

/** Which factors there are and since when: never a secret, and no code. */
export async function exportSecondFactor(
  db: Db,
  { userId, secondFactorSince: since }: { userId: string; secondFactorSince: Date | null },
) {
  const { methods, recoveryCodesRemaining } = await mfaStatus(db, userId)
  return { methods, since, recoveryCodesRemaining }
}
