export { connectDatabase, type Database } from './database/connect.ts'
export { DatabaseConnectionError } from './database/connection-error.ts'
export {
  type MigrationStatus,
  migrate,
  migrationStatus,
} from './database/migrate.ts'
export type { MigrationSource } from './database/migration-source.ts'
export { databaseUrl } from './server/database-url.ts'
