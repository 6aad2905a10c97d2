export type { MigrationSource } from './database/database.ts'
export { DatabaseConnectionError } from './database/errors.ts'
export {
  connectDatabase,
  type Database,
  holdEmbedded,
  hostsOf,
  type MigrationStatus,
  migrate,
  migrationStatus,
  openServer,
} from './database/server.ts'
export {
  appliesMigrations,
  databaseUrl,
  developmentDatabase,
  requireUpToDate,
} from './definition/definition.ts'
