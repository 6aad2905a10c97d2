import { findAccount, type Identifier } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { deriveKey, equal, keyedHash } from '../crypto/crypto.ts'
import { findKnownId } from '../keys/keys.ts'
import { isUuid } from '../pg-schema.ts'

/** The account that has signed in there, and the id by which its keys know that sign-in. */
interface KnownBrowser {
  userId: string
  knownId: string
}

const lifeMillis = 365 * 86_400_000

// As many as the web proxy keeps. Further tokens are ignored, so that a header costs no more than five tokens.
const mostShown = 5

/**
 * For the response to a sign-in: shows that the account has signed in where the token is stored
 * (OWASP's device cookie). Attempts with it are counted apart from those of strangers. It has no
 * other use.
 */
export function knownBrowserOf(
  { env }: Needs<'env'>,
  { userId, knownId, now }: { userId: string; knownId: string | null; now: Date },
) {
  if (knownId === null) return {}
  const endsAt = Math.floor((now.getTime() + lifeMillis) / 1000)
  const claims = `${userId}.${knownId}.${endsAt}`
  return { knownBrowser: `${claims}.${macOf(env, claims)}` }
}

/**
 * The sign-ins that a header shows. Anything that is not our token is ignored, and the caller
 * counts as a stranger.
 */
function readKnownBrowsers({ env, clock }: Needs<'env' | 'clock'>, header: string | null) {
  const tokens = (header ?? '').split(',', mostShown)
  return tokens.flatMap((token): KnownBrowser[] => {
    const [userId = '', knownId = '', endsAt = '', mac = ''] = token.trim().split('.')
    const isOurs = equal(mac, macOf(env, `${userId}.${knownId}.${endsAt}`))
    if (!isOurs || !isUuid(userId) || !isUuid(knownId)) return []
    return Number(endsAt) * 1000 > clock.now().getTime() ? [{ userId, knownId }] : []
  })
}

/** With a separate key, so that nothing else that this secret signs is accepted as a token. */
function macOf(env: Needs<'env'>['env'], claims: string) {
  return keyedHash(deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'known browsers'), claims)
}

interface Asked {
  identifier: Identifier
  origin: RequestOrigin
}

/**
 * The id by which the account of an address or number knows the caller; null for a stranger. Only a token that we have
 * issued leads to a query, and only about its own account, so the response time says nothing about other accounts.
 */
export async function findKnownBrowser(
  auth: Needs<'db' | 'env' | 'clock'>,
  { identifier, origin }: Asked,
) {
  const shown = readKnownBrowsers(auth, origin.knownBrowser)
  if (shown.length === 0) return null
  const account = await findAccount(auth.db, identifier)
  const own = shown.filter(({ userId }) => userId === account?.userId)
  if (!account || own.length === 0) return null
  const knownIds = own.map(({ knownId }) => knownId)
  return findKnownId(auth.db, { userId: account.userId, knownIds })
}
