import { setTimeout as wait } from 'node:timers/promises'
import { ServiceUnavailableError } from '@svc/core'
import { giveBackLease, takeLease } from '../../once/once.ts'
import { inTime, type OAuthProvider, ProviderRefusalError } from '../../providers/providers.ts'
import { ProviderConsentRequiredError } from '../errors.ts'
import type { SocialNeeds } from '../held.ts'
import type { SocialAccountRow } from './store.ts'
import {
  clearDeadTokens,
  findFreshToken,
  keepTokens,
  openKept,
  putRenewed,
  readFreshToken,
  requireLink,
  type Wanted,
} from './tokens.ts'

export type RenewalNeeds = SocialNeeds<
  'db' | 'keyring' | 'tokenCipher' | 'clock' | 'providers' | 'log'
>

// As long as we wait for a provider: a request that waits for another's renewal also gets a
// response within five seconds (F20).
const waitMillis = 4000
// Longer than a renewal with its first request can take. The process that took the lease may have
// crashed.
const leaseMillis = 15_000

/**
 * A new access token. Of all callers on all instances only one asks the provider, because many
 * providers accept a refresh token once (R32); the others get its result. No database connection is
 * held meanwhile.
 */
export async function renewAccessToken(auth: RenewalNeeds, wanted: Wanted) {
  const endsAt = performance.now() + waitMillis
  do {
    const token = await renewInTurn(auth, wanted)
    if (token !== null) return token
    await wait(50)
  } while (performance.now() < endsAt)
  throw new ServiceUnavailableError()
}

/** Null while another request renews it, and if other tokens have arrived meanwhile. */
async function renewInTurn(auth: RenewalNeeds, wanted: Wanted) {
  const now = auth.clock.now()
  const id = `renewal:${wanted.provider}:${wanted.userId}`
  const lease = { id, until: new Date(now.getTime() + leaseMillis) }
  if (!(await takeLease(auth.db, lease, now))) return findFreshToken(auth, wanted)
  try {
    // It is read again after the wait: the previous request may have renewed it.
    const link = await requireLink(auth, wanted)
    return (await readFreshToken(auth, link)) ?? (await renew(auth, link))
  } finally {
    await giveBackLease(auth.db, lease)
  }
}

async function renew(auth: RenewalNeeds, link: SocialAccountRow) {
  const provider = auth.providers.find(link.provider)
  const refresh = await openKept(auth, link, 'refresh')
  if (!refresh || !provider?.refreshTokens) throw new ProviderConsentRequiredError()
  const given = await ask(auth, provider, refresh.plaintext)
  if (given === null) {
    if (await clearDeadTokens(auth.db, link)) throw new ProviderConsentRequiredError()
    return null
  }
  // Many providers keep it. It is encrypted again in any case.
  const refreshToken = given.refreshToken ?? refresh.plaintext
  const kept = await keepTokens(auth, link, { ...given, refreshToken })
  return !kept || (await putRenewed(auth.db, link, kept)) ? given.accessToken : null
}

/** Null if the provider no longer accepts the refresh token. */
async function ask({ log }: SocialNeeds<'log'>, provider: OAuthProvider, refreshToken: string) {
  try {
    return (await inTime(async () => provider.refreshTokens?.(refreshToken))) ?? null
  } catch (error) {
    if (isRefused(error)) return null
    log.warn({ err: error, provider: provider.id }, 'a provider did not renew an access token')
    throw new ServiceUnavailableError()
  }
}

/**
 * A provider that refuses the application, whose secret may have changed, says nothing about the
 * token.
 */
function isRefused(error: unknown) {
  if (!(error instanceof ProviderRefusalError)) return false
  return error.code === undefined || error.code === 'invalid_grant'
}
