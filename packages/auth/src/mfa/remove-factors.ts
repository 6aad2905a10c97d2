import type { Tx } from '@svc/core'
import { type SettleNeeds, type Settling, settleFactors } from '../factors/settle-factors.ts'
import { unmarkPasskeysOf } from '../passkeys/marked-passkeys.ts'
import type { Method } from './methods-of.ts'
import { deleteRecoveryCodes } from './recovery-code-store.ts'
import { deleteTotp, deleteTotpSince } from './totp-store.ts'

type Removal = Omit<Settling, 'added' | 'removed'>

/** Takes every second factor off an account. Its passkeys go on signing in. */
export async function removeFactors(tx: Tx, auth: SettleNeeds, removal: Removal) {
  const { userId } = removal.account
  const removed: Method[] = []
  if (await deleteTotp(tx, userId)) removed.push('totp')
  if (await unmarkPasskeysOf(tx, userId)) removed.push('passkey')
  await deleteRecoveryCodes(tx, userId)
  await settleFactors(tx, auth, { ...removal, removed })
}

/** Takes off what was set up at that moment or later: whoever took an account over must not lock its owner out. */
export async function removeFactorsSince(
  tx: Tx,
  auth: SettleNeeds,
  { since, ...removal }: Removal & { since: Date },
) {
  const { userId, secondFactorSince } = removal.account
  if (secondFactorSince && secondFactorSince >= since) return removeFactors(tx, auth, removal)
  // It came beside a factor that the owner had before. The codes were made anew with it.
  if (!(await deleteTotpSince(tx, userId, since))) return
  await deleteRecoveryCodes(tx, userId)
  await settleFactors(tx, auth, { ...removal, removed: ['totp'] })
}
