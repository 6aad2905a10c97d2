import type { Tx } from '@svc/core'
import { and, eq, gte } from 'drizzle-orm'
import { lockAccount } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { Author, RequestOrigin } from '../../caller/caller.ts'
import type { Doubted } from '../../capability/capability.ts'
import { oauthUnlinkedEvent } from '../../events.ts'
import { inTransaction } from '../../in-transaction.ts'
import { securityPage, sendNotice } from '../../notices/notices.ts'
import { endAssertedGrants } from '../../oauth2/oauth2.ts'
import type { UnlinkNotification } from '../../providers/providers.ts'
import type { SocialAccountRow } from '../accounts/accounts.ts'
import { deleteLink, findByIdentity, socialAccounts } from '../accounts/accounts.ts'
import { forgetPendingBy } from '../browser/browser.ts'
import type { SocialNeeds } from '../held.ts'

interface Unlinked extends Author {
  gone: SocialAccountRow
  reason: string
  now: Date
}

/**
 * Runs when a provider was unlinked, in the same transaction: the trail and the event. It ends
 * sign-ins by that provider that are not finished.
 */
export async function unlinked(tx: Tx, { gone, reason, actor = null, origin, now: at }: Unlinked) {
  const { userId, provider, providerUserId } = gone
  const details = { provider, reason }
  await forgetPendingBy(tx, gone)
  const from = origin && { origin }
  await endAssertedGrants(tx, { userId, actor, ...from, now: at })
  await recordAudit(tx, { act: 'social.unlinked', actor, target: userId, details, ...from, at })
  await oauthUnlinkedEvent.emit({ userId, provider, providerUserId, reason })
}

/** Removes every link that was added at that moment or later: an attacker may hold it. */
export async function dropLinksSince(tx: Tx, { account, since, ...dropping }: Doubted) {
  const { userId } = account
  const added = and(eq(socialAccounts.userId, userId), gte(socialAccounts.linkedAt, since))
  const dropped = await tx.delete(socialAccounts).where(added).returning()
  for (const gone of dropped) {
    await unlinked(tx, { ...dropping, gone, actor: userId })
  }
}

type EndNeeds = SocialNeeds<'db' | 'clock' | 'env' | 'appUrl' | 'notifier' | 'log'>

interface Ended {
  provider: string
  notification: UnlinkNotification
  origin: RequestOrigin
}

// A time stamp may be in whole seconds, and is by another clock than ours.
const skewMillis = 5000

/**
 * The user has withdrawn the consent at the provider. Only the link is removed. Sessions stay, and
 * the application decides about the account, in any state.
 */
export async function endConsent(auth: EndNeeds, { provider, notification, origin }: Ended) {
  const { providerUserId, reason, at } = notification
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const link = await findByIdentity(tx, { provider, providerUserId })
    // A notice from before the link is about an earlier consent (replay, negative test 81).
    if (!link || (at && link.linkedAt.getTime() > at.getTime() + skewMillis)) return
    const { userId } = link
    const isThere = (await lockAccount(tx, userId)) !== null
    const gone = isThere && (await deleteLink(tx, link))
    if (!gone) return
    await unlinked(tx, { gone, reason, origin, now })
    const facts = { provider, at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'social-unlinked', facts })
  })
}
