import type { MigrationSource } from '../database/database.ts'
import { MigrationError } from '../database/errors.ts'
import type { Database } from '../database/server.ts'
import { EnvironmentError } from '../env/env.ts'
import type { MigrationCount } from '../infrastructure/infrastructure.ts'
import type { Log } from '../observation/observation.ts'
import { namedMigrations, type ServerDefinition } from './define-server.ts'
import type { ServerEnv } from './env.ts'

/** The database in development if `DATABASE_URL` is not set. */
export const developmentDatabase = 'embedded:./.svc/data'

/**
 * Where an application's database is. One with tables or jobs gets an embedded one by default, but
 * in production only if you ask for it.
 */
export function databaseUrl(
  definition: ServerDefinition,
  env: {
    DATABASE_URL: string | undefined
    DATABASE_URL_DIRECT?: string | undefined
    DATABASE_URL_REPLICA?: string | undefined
    NODE_ENV: string
  },
) {
  if (env.DATABASE_URL_DIRECT && !env.DATABASE_URL?.startsWith('postgres')) {
    throw new EnvironmentError([
      'DATABASE_URL_DIRECT is the second address of a database: set DATABASE_URL too, to that of the pooler',
    ])
  }
  if (env.DATABASE_URL_REPLICA && !env.DATABASE_URL?.startsWith('postgres')) {
    throw new EnvironmentError([
      'DATABASE_URL_REPLICA is a replica of a database: set DATABASE_URL too, to that of the primary',
    ])
  }
  const { database, jobs } = definition.settings
  const wanted = database.schema || jobs || namedMigrations(definition).length > 0
  if (env.DATABASE_URL || !wanted) return env.DATABASE_URL
  if (env.NODE_ENV !== 'production') return developmentDatabase
  throw new EnvironmentError(['DATABASE_URL is required: this application has tables or jobs'])
}

/** In production only if `SVC_MIGRATE=apply`, because a deploy may need a plan. */
export function appliesMigrations({
  SVC_MIGRATE,
  NODE_ENV,
}: Pick<ServerEnv, 'SVC_MIGRATE' | 'NODE_ENV'>) {
  return SVC_MIGRATE === 'apply' || (SVC_MIGRATE === 'auto' && NODE_ENV !== 'production')
}

/** Applies the pending migrations, if this server may, and refuses a database that is behind. */
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

/**
 * Refuses a database with a pending migration, or with one that was edited after it was applied.
 */
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
