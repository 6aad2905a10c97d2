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

// As many as the web proxy keeps. What comes after them is not looked at, so that a header costs what five cost.
const mostShown = 5

/**
 * For the answer to a sign-in: says that the account has signed in where this is kept (a device cookie, as OWASP has it). Its tries are counted
 * apart from those of strangers, and it is good for nothing else.
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

/** What a header shows of sign-ins here. Anything that is not ours is passed over in silence: its bearer is a stranger. */
export function readKnownBrowsers({ env, clock }: Needs<'env' | 'clock'>, header: string | null) {
  const tokens = (header ?? '').split(',', mostShown)
  return tokens.flatMap((token): KnownBrowser[] => {
    const [userId = '', knownId = '', endsAt = '', mac = ''] = token.trim().split('.')
    const isOurs = equal(mac, macOf(env, `${userId}.${knownId}.${endsAt}`))
    if (!isOurs || !isUuid(userId) || !isUuid(knownId)) return []
    return Number(endsAt) * 1000 > clock.now().getTime() ? [{ userId, knownId }] : []
  })
}

/** Under a key of its own, so that nothing else that this secret signs passes for one. */
function macOf(env: Needs<'env'>['env'], claims: string) {
  return keyedHash(deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'known browsers'), claims)
}
