import type { MigrationSource } from '../database/database.ts'
import { MigrationError } from '../database/errors.ts'
import type { Database } from '../database/server.ts'
import type { MigrationCount } from '../infrastructure/infrastructure.ts'
import type { Log } from '../observation/observation.ts'
import type { ServerEnv } from './env.ts'

/** In production only when `SVC_MIGRATE=apply` says so, because a deploy may need a plan. */
export function appliesMigrations({
  SVC_MIGRATE,
  NODE_ENV,
}: Pick<ServerEnv, 'SVC_MIGRATE' | 'NODE_ENV'>) {
  return SVC_MIGRATE === 'apply' || (SVC_MIGRATE === 'auto' && NODE_ENV !== 'production')
}

/** Applies what is pending, where this server may, and refuses a database that is behind. */
export async function bringUpToDate(
  database: Database,
  sources: MigrationSource[],
  { env, log }: { env: ServerEnv; log: Log },
): Promise<MigrationCount> {
  if (appliesMigrations(env)) {
    const { migrate } = await import('../database/server.ts')
    await migrate(database, sources, { log })
  }
  return requireUpToDate(database, sources)
}

/** Refuses a database on which a migration is pending, or was edited after it had been applied. */
export async function requireUpToDate(
  database: Database,
  sources: MigrationSource[],
): Promise<MigrationCount> {
  const { migrationStatus } = await import('../database/server.ts')
  const status = await migrationStatus(database, sources)
  const open = status.filter(({ state }) => state === 'pending' || state === 'changed')
  if (open.length > 0) {
    const names = open.map(({ source, name, state }) => `${source}/${name} is ${state}`).join(', ')
    throw new MigrationError(
      `The database is not up to date: ${names}. Run "npx @svc/cli migrate", or start with SVC_MIGRATE=apply.`,
    )
  }
  return { applied: status.filter(({ state }) => state === 'applied').length, pending: 0 }
}
