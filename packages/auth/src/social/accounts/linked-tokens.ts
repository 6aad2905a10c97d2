import { refuseInactiveAccount } from '../../accounts/refuse-inactive-account.ts'
import { isUuid } from '../../pg-schema.ts'
import type { SocialNeeds } from '../held.ts'
import { SocialAccountNotLinkedError } from './errors.ts'
import { readAccessToken } from './keep-tokens.ts'
import { findOfProvider, type SocialAccountRow } from './store.ts'

/** Whose account, and where else it is wanted. */
export interface Wanted {
  readonly userId: string
  readonly provider: string
}

/**
 * The account elsewhere of somebody who may sign in. Nobody goes on acting in the name of an account that was suspended
 * or is to be deleted.
 */
export async function requireLink({ db }: SocialNeeds<'db'>, { userId, provider }: Wanted) {
  const link = isUuid(userId) ? await findOfProvider(db, userId, provider) : null
  if (!link) throw new SocialAccountNotLinkedError()
  await refuseInactiveAccount(db, userId)
  return link
}

type TokenNeeds = SocialNeeds<'db' | 'keyring' | 'clock'>

/** The access token that somebody's link has. Null where there is none, or it is to be renewed. */
export async function findFreshToken(auth: TokenNeeds, wanted: Wanted) {
  return readFreshToken(auth, await requireLink(auth, wanted))
}

// Whoever gets one has to have the time to use it.
const leastMillis = 60_000

/** The same, where the link was read. */
export async function readFreshToken(auth: TokenNeeds, link: SocialAccountRow) {
  return isFresh(link, auth.clock.now()) ? readAccessToken(auth, link) : null
}

/** One whose end the provider does not tell is good for as long as there is no way to get another. */
function isFresh({ accessTokenExpiresAt: endsAt, refreshToken }: SocialAccountRow, now: Date) {
  if (endsAt === null) return refreshToken === null
  return endsAt.getTime() - now.getTime() >= leastMillis
}
