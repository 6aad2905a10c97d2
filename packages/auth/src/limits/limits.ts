import { addressSubject, type Cache, type Clock, type Db } from '@svc/core'
import {
  type Attempt,
  countInCache,
  countTogether,
  createCounter,
  type LimitHits,
} from '@svc/core/limits'
import { lte } from 'drizzle-orm'
import { deriveKey, keyedHash } from '../crypto/crypto.ts'
import type { AuthEnv } from '../env.ts'
import type { LimitName, Limits, LimitTable } from './contract.ts'
import { attempts } from './schema.ts'

export { countInDatabase, uncountInDatabase } from './count-one.ts'
export { openWindows } from './windows.ts'

interface Needs {
  db: Db
  cache: Cache
  clock: Clock
  env: LimitEnv
  /** How often this process has refused. */
  hits: LimitHits
  /** All limits. Operations that share one take it by the same name. */
  table: LimitTable
}

type LimitEnv = Pick<AuthEnv, 'SVC_RATE_LIMIT' | 'SVC_AUTH_VERIFICATION_TOKEN_SECRET'>

const unlimited: Limits = { take: async () => {} }

/** Limits that all instances share: counted in the cache if all share one, else in the database. */
export function createLimits({ db, cache, clock, env, hits, table }: Needs): Limits {
  if (!env.SVC_RATE_LIMIT) return unlimited
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'limits')
  const countInDatabase = countTogether(db, 'svc_auth.attempts')
  const count = (attempt: Attempt) =>
    cache.shared ? countInCache({ cache, prefix: 'svc:auth' }, attempt) : countInDatabase(attempt)
  const take = createCounter({ clock, count, hits })
  return {
    async take(name, subject) {
      const { limit, windowMillis } = limitFor(name, table, env)
      const id = keyedHash(key, `${name}\n${subjectOf(name, subject)}`)
      await take({ id, name, limit, windowMillis, closes: name.endsWith(' by address') })
    },
  }
}

/** The limit as configured. */
function limitFor(name: LimitName, table: LimitTable, env: object) {
  const found = table[name]
  if (!found) throw new Error(`No capability declares the limit "${name}".`)
  const { limit, windowMillis, setBy } = found
  if (!setBy) return { limit, windowMillis }
  const number = (env as Readonly<Record<string, unknown>>)[setBy.variable]
  const isSet = typeof number === 'number'
  return { limit: isSet ? Math.floor(number * (setBy.share ?? 1)) : limit, windowMillis }
}

/** All clients without a known address count as one. */
function subjectOf(name: LimitName, subject: string | null) {
  if (subject === null) return 'unknown'
  return name.endsWith(' by address') ? addressSubject(subject) : subject
}

/** Deletes the windows that have ended. */
export async function forgetAttempts(db: Db, now: Date) {
  await db.delete(attempts).where(lte(attempts.windowEndsAt, now))
}
