import type { Tx } from '@svc/core'
import type { LockedAccount } from '../../accounts/lock-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { oauthLinkedEvent } from '../../events.ts'
import { securityPage } from '../../notices/security-page.ts'
import { sendNotice } from '../../notices/send-notice.ts'
import type { SocialNeeds } from '../held.ts'
import type { Arrival } from './arrival.ts'
import { insertLink } from './store.ts'

interface Linking {
  account: LockedAccount
  arrival: Arrival
  /** The account has just been opened by it. */
  isNewUser: boolean
}

/** Adds a way in to an account that this transaction holds. False when either side is linked already. */
export async function link(
  tx: Tx,
  auth: SocialNeeds<'notifier' | 'log' | 'appUrl' | 'env'>,
  { account, arrival, isNewUser }: Linking,
) {
  const { provider, identity, tokens, origin, now } = arrival
  const { userId } = account
  const { providerUserId } = identity
  const kept = tokens ?? { accessToken: null, refreshToken: null, accessTokenExpiresAt: null }
  const row = { provider, providerUserId, userId, ...kept, linkedAt: now, lastUsedAt: now }
  if (!(await insertLink(tx, row))) return false
  const details = { provider }
  await recordAudit(tx, {
    act: 'social.linked',
    actor: userId,
    target: userId,
    details,
    origin,
    at: now,
  })
  await oauthLinkedEvent.emit({ userId, provider, providerUserId })
  if (isNewUser) return true
  const facts = { provider, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'social-linked', facts })
  return true
}
