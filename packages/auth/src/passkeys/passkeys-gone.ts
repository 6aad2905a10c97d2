import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import { type Author } from '../caller/audit-entry.ts'
import { passkeyRevokedEvent } from '../events.ts'
import { settleFactors } from '../factors/settle-factors.ts'
import { markedPasskeysOf } from './marked-passkeys.ts'
import type { PasskeyRow } from './store.ts'

export interface Gone extends Author {
  account: LockedAccount
  gone: readonly PasskeyRow[]
  now: Date
}

export type GoneNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'parts'>

/** Follows passkeys that were taken away, in the same transaction: the trail, the event, and the second factor. */
export async function passkeysGone(tx: Tx, auth: GoneNeeds, { gone, ...settling }: Gone) {
  const { account, actor = null, now: at } = settling
  const { userId } = account
  const origin = settling.origin && { origin: settling.origin }
  for (const { passkeyId } of gone) {
    await recordAudit(tx, { act: 'passkey.revoked', actor, target: passkeyId, ...origin, at })
    await passkeyRevokedEvent.emit({ userId, passkeyId })
  }
  if (!gone.some(({ secondFactor }) => secondFactor)) return
  const isMethod = (await markedPasskeysOf(tx, userId)).length > 0
  await settleFactors(tx, auth, { ...settling, removed: isMethod ? [] : ['passkey'] })
}
