import type { Db } from '@svc/core'
import { findFreshToken, type Wanted } from './accounts/linked-tokens.ts'
import { type RenewalNeeds, renewAccessToken } from './accounts/renew-access-token.ts'
import { runningSocial } from './social-of.ts'

/** An access token for a user's Google account, good for a minute at least: it is renewed where that is needed. */
export async function getGoogleAccessToken(userId: string): Promise<string> {
  return getProviderAccessToken('google', userId)
}

/** The same for any provider that browsers sign in with. */
export async function getProviderAccessToken(provider: string, userId: string): Promise<string> {
  return accessTokenOf(runningSocial(), { provider, userId })
}

export async function accessTokenOf(auth: RenewalNeeds, wanted: Wanted) {
  return (await findFreshToken(auth, wanted)) ?? renewOnce(auth, wanted)
}

const underWay = new WeakMap<Db, Map<string, Promise<string>>>()

/** Of all who wait in this process one waits for the others: what cannot be asked is asked once for all of them. */
function renewOnce(auth: RenewalNeeds, wanted: Wanted) {
  const renewals = underWay.get(auth.db) ?? new Map<string, Promise<string>>()
  underWay.set(auth.db, renewals)
  const id = `${wanted.provider}:${wanted.userId}`
  const renewal =
    renewals.get(id) ?? renewAccessToken(auth, wanted).finally(() => renewals.delete(id))
  renewals.set(id, renewal)
  return renewal
}
