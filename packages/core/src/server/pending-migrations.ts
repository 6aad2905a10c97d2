import type { Database } from '../database/connect.ts'
import { MigrationError } from '../database/migration-error.ts'
import type { MigrationSource } from '../database/migration-source.ts'
import type { MigrationCount } from '../infrastructure/infrastructure.ts'
import type { Log } from '../observation/logger.ts'
import type { ServerEnv } from './env.ts'

/** Applies what is pending; in production only when `SVC_MIGRATE=apply` says so, because a deploy may need a plan. */
export async function bringUpToDate(
  database: Database,
  sources: MigrationSource[],
  { env, log }: { env: ServerEnv; log: Log },
): Promise<MigrationCount> {
  const { migrate, migrationStatus } = await import('../database/migrate.ts')
  const refuses =
    env.SVC_MIGRATE === 'refuse' || (env.SVC_MIGRATE === 'auto' && env.NODE_ENV === 'production')
  if (!refuses) await migrate(database, sources, { log })
  const status = await migrationStatus(database, sources)
  const open = status.filter(({ state }) => state === 'pending' || state === 'changed')
  if (open.length > 0) {
    const names = open.map(({ source, name, state }) => `${source}/${name} is ${state}`).join(', ')
    throw new MigrationError(
      `The database is not up to date: ${names}. Run "svc migrate", or start with SVC_MIGRATE=apply.`,
    )
  }
  return { applied: status.filter(({ state }) => state === 'applied').length, pending: 0 }
}
