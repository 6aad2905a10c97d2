import { EnvironmentError } from '../env/env.ts'
import { namedMigrations, type ServerDefinition } from './define-server.ts'

/** What development takes where `DATABASE_URL` is not set. */
export const developmentDatabase = 'embedded:./.svc/data'

/**
 * Where an application's database is. One that has tables or jobs gets an embedded one without being told, but never
 * by chance in production.
 */
export function databaseUrl(
  definition: ServerDefinition,
  env: { DATABASE_URL: string | undefined; NODE_ENV: string },
) {
  const { database, jobs } = definition.settings
  const wanted = database.schema || jobs || namedMigrations(definition).length > 0
  if (env.DATABASE_URL || !wanted) return env.DATABASE_URL
  if (env.NODE_ENV !== 'production') return developmentDatabase
  throw new EnvironmentError(['DATABASE_URL is required: this application has tables or jobs'])
}
