import { DefinitionError } from '../definition/errors.ts'
import { forgetKept } from '../idempotency/idempotency.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { type AnyJob, defineJob } from '../jobs/jobs.ts'
import { forgetAttempts } from '../limits/limits.ts'
import type { TableRow } from '../routes/routes.ts'

/**
 * The job that deletes expired answers of idempotent routes. It runs if there are such routes, and
 * if jobs run anyway, because earlier there may have been such routes. An application without any
 * job starts none for the rows of its last release.
 */
export function forgettingJobs(
  table: readonly TableRow[],
  { database, cache }: Infrastructure,
  { others }: { others: readonly AnyJob[] },
): AnyJob[] {
  const repeated = table.find(({ route }) => route.operation.isIdempotent)
  if (!database) {
    if (repeated) throw new DefinitionError([needsDatabase(repeated)])
    return []
  }
  const isCounting = !cache.shared && table.some(({ route }) => route.operation.limits)
  if (!repeated && !isCounting && others.length === 0) return []
  return [
    defineJob('svc.forget-expired')
      .cron('17 * * * *')
      .handler(async (_, { clock }) => {
        await forgetKept(database.pool, clock.now())
        await forgetAttempts(database, clock.now())
      }),
  ]
}

const needsDatabase = ({ name, route: { operation } }: TableRow) =>
  `Route "${name}" (${operation.method} ${operation.path}) is .idempotent(), which needs a database: set DATABASE_URL.`
