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

/** A user of a provider, and what came with them. */
export interface Arrival {
  readonly provider: string
  readonly identity: ProviderIdentity
  /** Null if an app has signed in. */
  readonly tokens: KeptTokens | null
  readonly channel: 'oauth' | 'native'
  readonly metadata?: Record<string, unknown> | undefined
  readonly locale: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** The address in our one form. Null if there is none, or if it is no valid address here. */
export function addressOf({ email }: Pick<ProviderIdentity, 'email'>) {
  const normal = email === undefined ? null : normalForm(email)
  return normal !== null && isAsSeen(normal, email ?? '') ? normal : null
}

/**
 * Our form expands a ligature and its like: a provider that has verified `ﬁ@…` has not verified
 * `fi@…` (attack 17). Only upper case, and spellings that the DNS takes for the same domain, may
 * differ.
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

// `toLowerCase` would turn the Kelvin sign into a k.
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

interface Linking {
  account: LockedAccount
  arrival: Arrival
  /** The sign-in has just opened the account. */
  isNewUser: boolean
}

/**
 * Links a provider to an account that this transaction has locked. False if either side is linked
 * already.
 */
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
 * An account without an address gets the one that its provider has verified, unless another account
 * has it: then the sign-in goes on without.
 */
export async function backfillEmail(tx: Tx, account: LockedAccount, { identity, now }: Arrival) {
  const value = addressOf(identity)
  if (account.email !== null || value === null || !identity.isEmailVerified) return
  try {
    // A nested transaction: a failure in here leaves the sign-in as it was.
    await tx.transaction((inner) =>
      setContact(inner, account, { type: 'email', value, verifiedAt: now }),
    )
  } catch (error) {
    if (databaseFailure(error) instanceof ConflictError) return
    throw error
  }
  await contactChangedEvent.emit({ userId: account.userId, kind: 'email' })
}
