import type { Needs } from '../auth.ts'
import { equal } from '../crypto/constant-time.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { isUuid } from '../pg-schema.ts'

/** Which account has signed in there, and the id by which its keys know that sign-in. */
export interface KnownBrowser {
  userId: string
  knownId: string
}

const lifeMillis = 365 * 86_400_000

// As many as the web proxy keeps. Further tokens are ignored, so that a header costs no more than five tokens.
const mostShown = 5

/**
 * For the answer to a sign-in: shows that the account has signed in where the token is stored (OWASP's device cookie).
 * Its tries are counted apart from those of strangers. It has no other use.
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

/** The sign-ins that a header shows. Anything that is not our token is ignored: the caller is a stranger. */
export function readKnownBrowsers({ env, clock }: Needs<'env' | 'clock'>, header: string | null) {
  const tokens = (header ?? '').split(',', mostShown)
  return tokens.flatMap((token): KnownBrowser[] => {
    const [userId = '', knownId = '', endsAt = '', mac = ''] = token.trim().split('.')
    const isOurs = equal(mac, macOf(env, `${userId}.${knownId}.${endsAt}`))
    if (!isOurs || !isUuid(userId) || !isUuid(knownId)) return []
    return Number(endsAt) * 1000 > clock.now().getTime() ? [{ userId, knownId }] : []
  })
}

/** With a key of its own, so that nothing else that this secret signs is accepted as a token. */
function macOf(env: Needs<'env'>['env'], claims: string) {
  return keyedHash(deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'known browsers'), claims)
}
