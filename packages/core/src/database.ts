export type { MigrationSource } from './database/database.ts'
export { DatabaseConnectionError } from './database/errors.ts'
export {
  connectDatabase,
  type Database,
  holdEmbedded,
  type MigrationStatus,
  migrate,
  migrationStatus,
  openServer,
} from './database/server.ts'
export { databaseUrl, developmentDatabase } from './definition/database-url.ts'
export { appliesMigrations, requireUpToDate } from './definition/pending-migrations.ts'
