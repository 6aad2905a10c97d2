import { createHash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import type { Clock } from '../clock/clock.ts'
import { deleteEnded } from '../database/database.ts'
import type { Database } from '../database/server.ts'
import type { RouteLimit } from './contract.ts'
import { type Attempt, type Counted, countInCache } from './count-attempts.ts'
import { createCounter } from './counter.ts'
import type { LimitHits } from './limit-hits.ts'

export { LimitHits } from './limit-hits.ts'

/** The limits of routes, over all instances. */
export interface RouteLimits {
  /**
   * Counts one more call of a route for a subject. All unknown addresses count as one subject,
   * null.
   */
  take(route: string, subject: string | null, limit: RouteLimit): Promise<void>
}

interface Needs {
  database: Database | undefined
  cache: Cache
  clock: Clock
  hits: LimitHits
  isOn: boolean
}

/**
 * Counts in the cache if all instances share one, else in the database, else in the memory of this
 * process.
 */
export async function openLimits({ isOn, clock, hits, ...stores }: Needs): Promise<RouteLimits> {
  if (!isOn) return { take: async () => {} }
  const take = createCounter({ clock, count: await countIn(stores), hits })
  return {
    take(route, subject, { limit, windowMillis, by }) {
      const counted = JSON.stringify([route, by, windowMillis, subject])
      const id = createHash('sha256').update(counted).digest('base64url')
      const name = `${route} ${by}`
      return take({ id, name, limit, windowMillis, closes: by === 'by address' })
    },
  }
}

async function countIn({
  database,
  cache,
}: Pick<Needs, 'database' | 'cache'>): Promise<(attempt: Attempt) => Promise<Counted>> {
  if (!database || cache.shared) {
    return (attempt) => countInCache({ cache, prefix: 'svc:core' }, attempt)
  }
  // Loaded only if there is a database: it imports Drizzle.
  const { countTogether } = await import('./count-together.ts')
  return countTogether(database.db, 'svc_core.attempts')
}

/** Deletes the windows that have ended. */
export async function forgetAttempts({ pool }: Pick<Database, 'pool'>, now: Date) {
  await deleteEnded(pool, { table: 'svc_core.attempts', until: 'window_ends_at' }, now)
}
