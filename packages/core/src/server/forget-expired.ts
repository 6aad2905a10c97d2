import { DefinitionError } from '../definition/errors.ts'
import { forgetKept } from '../idempotency/idempotency.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { type AnyJob, defineJob } from '../jobs/jobs.ts'
import { forgetAttempts } from '../limits/limits.ts'
import type { TableRow } from '../routes/routes.ts'

/** The job that forgets what routes have kept, where there are such routes. */
export function forgettingJobs(table: readonly TableRow[], server: Infrastructure): AnyJob[] {
  const { database, cache } = server
  const repeated = table.find(({ route }) => route.operation.isIdempotent)
  if (!database) {
    if (repeated) throw new DefinitionError([needsDatabase(repeated)])
    return []
  }
  const isLimited = table.some(({ route }) => route.operation.limits)
  const forgets = [
    ...(repeated ? [(now: Date) => forgetKept(database.pool, now)] : []),
    ...(isLimited && !cache.shared ? [(now: Date) => forgetAttempts(database, now)] : []),
  ]
  if (forgets.length === 0) return []
  return [
    defineJob('svc.forget-expired')
      .cron('17 * * * *')
      .handler(async (_, { clock }) => {
        for (const forget of forgets) await forget(clock.now())
      }),
  ]
}

const needsDatabase = ({ name, route: { operation } }: TableRow) =>
  `Route "${name}" (${operation.method} ${operation.path}) is .idempotent(), which needs a database: set DATABASE_URL.`
