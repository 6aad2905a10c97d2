import { addressSubject, type Cache, type Clock, type Db, TooManyRequestsError } from '@svc/core'
import { lte } from 'drizzle-orm'
import { deriveKey, keyedHash } from '../crypto/crypto.ts'
import type { AuthEnv } from '../env.ts'
import type { LimitName, Limits, LimitTable } from './contract.ts'
import { type Attempt, countInCache, countTogether } from './count-attempts.ts'
import { attempts } from './schema.ts'

export { countInDatabase, uncountInDatabase } from './count-attempts.ts'

interface Needs {
  db: Db
  cache: Cache
  clock: Clock
  env: LimitEnv
  /** Every limit there is. Operations that share one take it by the same name. */
  table: LimitTable
}

type LimitEnv = Pick<AuthEnv, 'SVC_RATE_LIMIT' | 'SVC_AUTH_VERIFICATION_TOKEN_SECRET'>

const mostClosed = 10_000

const unlimited: Limits = { take: async () => {} }

/** Limits that all instances share: counted in the cache where there is one for all, else in the database. */
export function createLimits({ db, cache, clock, env, table }: Needs): Limits {
  if (!env.SVC_RATE_LIMIT) return unlimited
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'limits')
  const countInDatabase = countTogether(db)
  const count = (attempt: Attempt) =>
    cache.shared ? countInCache(cache, attempt) : countInDatabase(attempt)

  /** The used-up windows of addresses: further requests of a flood do not reach the database. */
  const closed = new Map<string, Date>()

  function close(id: string, endsAt: Date) {
    if (closed.size >= mostClosed) closed.clear()
    closed.set(id, endsAt)
  }

  return {
    async take(name, subject, undeclared) {
      const { limit, windowMillis } = undeclared ?? limitFor(name, table, env)
      const id = keyedHash(key, `${name}\n${subjectOf(name, subject)}`)
      const now = clock.now()
      const closedUntil = closed.get(id)
      if (closedUntil && closedUntil > now) throw tooMany(closedUntil, now)
      const { count: taken, endsAt } = await count({ id, windowMillis, now })
      if (taken <= limit) return
      if (name.endsWith(' by address')) close(id, endsAt)
      throw tooMany(endsAt, now)
    },
  }
}

/** The limit as it is configured. */
function limitFor(name: LimitName, table: LimitTable, env: object) {
  const found = table[name]
  if (!found) throw new Error(`No capability declares the limit "${name}".`)
  const { limit, windowMillis, setBy } = found
  if (!setBy) return { limit, windowMillis }
  const number = (env as Readonly<Record<string, unknown>>)[setBy.variable]
  const isSet = typeof number === 'number'
  return { limit: isSet ? Math.floor(number * (setBy.share ?? 1)) : limit, windowMillis }
}

/** All whose address is not known are one. */
function subjectOf(name: LimitName, subject: string | null) {
  if (subject === null) return 'unknown'
  return name.endsWith(' by address') ? addressSubject(subject) : subject
}

/** Tells when to come again: never in no time at all, and never later than the window ends. */
export function tooMany(endsAt: Date, now: Date) {
  const retryAfter = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
  return new TooManyRequestsError({ retryAfter })
}

/** Forgets the windows that have ended. */
export async function forgetAttempts(db: Db, now: Date) {
  await db.delete(attempts).where(lte(attempts.windowEndsAt, now))
}
