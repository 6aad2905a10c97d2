import type { MigrationSource } from '../database/migration-source.ts'

/** The tables of the cache in the database: there wherever a database is, so that CACHE_URL may change at any time. */
export const coreMigrations: MigrationSource = {
  name: 'svc-core',
  directory: new URL('../../migrations/', import.meta.url),
}
