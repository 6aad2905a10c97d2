import { domainToASCII } from 'node:url'
import { ConflictError, databaseFailure, type Tx, ValidationError } from '@svc/core'
import { type LockedAccount, normaliseEmail, setContact } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { RequestOrigin } from '../../caller/caller.ts'
import { contactChangedEvent, oauthLinkedEvent } from '../../events.ts'
import { securityPage, sendNotice } from '../../notices/notices.ts'
import type { ProviderIdentity } from '../../providers/providers.ts'
import type { SocialNeeds } from '../held.ts'
import { insertLink, type KeptTokens } from './store.ts'

/** A user whom a provider knows, and what came with them. */
export interface Arrival {
  readonly provider: string
  readonly identity: ProviderIdentity
  /** None where an app has signed in. */
  readonly tokens: KeptTokens | null
  readonly channel: 'oauth' | 'native'
  readonly metadata?: Record<string, unknown> | undefined
  readonly locale: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** The address in our one form. Null for none, and for what is no address to us. */
export function addressOf({ email }: Pick<ProviderIdentity, 'email'>) {
  const normal = email === undefined ? null : normalForm(email)
  return normal !== null && isAsSeen(normal, email ?? '') ? normal : null
}

/**
 * Our form writes out a ligature and its like: a provider that has seen `ﬁ@…` has not seen `fi@…` (attack 17). Only
 * capitals, and what the DNS takes for the same domain, may have been written otherwise.
 */
function isAsSeen(normal: string, email: string) {
  const [local = '', domain = ''] = email.trim().split('@')
  return normal === `${asciiLower(local)}@${domainToASCII(domain)}`
}

function normalForm(email: string) {
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}

// `toLowerCase` would make a k of the sign for kelvin.
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

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

/**
 * An account without an address gets the one that its provider has verified, unless it is another's: then the sign-in
 * goes on without.
 */
export async function backfillEmail(tx: Tx, account: LockedAccount, { identity, now }: Arrival) {
  const value = addressOf(identity)
  if (account.email !== null || value === null || !identity.isEmailVerified) return
  try {
    // A transaction within: what fails in here leaves the sign-in as it was.
    await tx.transaction((inner) =>
      setContact(inner, account, { type: 'email', value, verifiedAt: now }),
    )
  } catch (error) {
    if (databaseFailure(error) instanceof ConflictError) return
    throw error
  }
  await contactChangedEvent.emit({ userId: account.userId, kind: 'email' })
}
