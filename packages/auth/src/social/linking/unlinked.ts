import type { Tx } from '@svc/core'
import { recordAudit } from '../../audit/record-audit.ts'
import { type Author } from '../../caller/audit-entry.ts'
import { oauthUnlinkedEvent } from '../../events.ts'
import type { SocialAccountRow } from '../accounts/store.ts'
import { forgetPendingBy } from '../browser/forget-pending.ts'

interface Unlinked extends Author {
  gone: SocialAccountRow
  reason: string
  now: Date
}

/**
 * Follows a way in that was taken away, in the same transaction: the trail and the event. Whoever has come by it and has
 * not finished is signed in no more.
 */
export async function unlinked(tx: Tx, { gone, reason, actor = null, origin, now: at }: Unlinked) {
  const { userId, provider, providerUserId } = gone
  const details = { provider, reason }
  await forgetPendingBy(tx, gone)
  const from = origin && { origin }
  await recordAudit(tx, { act: 'social.unlinked', actor, target: userId, details, ...from, at })
  await oauthUnlinkedEvent.emit({ userId, provider, providerUserId, reason })
}
