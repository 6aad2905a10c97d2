export { DatabaseConnectionError } from './database/connection-error.ts'
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
} from './database/migrate.ts'
export type { MigrationSource } from './database/migration-source.ts'
export { connectDatabase, type Database, holdEmbedded, openServer } from './database/server.ts'
export { databaseUrl, developmentDatabase } from './server/database-url.ts'
export { appliesMigrations, requireUpToDate } from './server/pending-migrations.ts'
