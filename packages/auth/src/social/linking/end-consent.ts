import { lockAccount } from '../../accounts/lock-account.ts'
import type { RequestOrigin } from '../../caller/request-origin.ts'
import { securityPage } from '../../notices/security-page.ts'
import { sendNotice } from '../../notices/send-notice.ts'
import type { UnlinkNotification } from '../../openid/provider.ts'
import { deleteLink, findByIdentity } from '../accounts/store.ts'
import type { SocialNeeds } from '../held.ts'
import { unlinked } from './unlinked.ts'

type EndNeeds = SocialNeeds<'db' | 'clock' | 'env' | 'appUrl' | 'notifier' | 'log'>

interface Ended {
  provider: string
  notification: UnlinkNotification
  origin: RequestOrigin
}

// A stamp may be of whole seconds, and is of another clock than ours.
const skewMillis = 5000

/**
 * Somebody has taken the consent back where the account is. Only the link goes: who is signed in stays so, and the
 * account is the application's to judge, in whatever state it is.
 */
export async function endConsent(auth: EndNeeds, { provider, notification, origin }: Ended) {
  const { providerUserId, reason, at } = notification
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    const link = await findByIdentity(tx, { provider, providerUserId })
    // What was sent before is of another consent than this one (replay, negative test 81).
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
