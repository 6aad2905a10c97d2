export type {
  AuditTrail,
  TrailCheck,
  TrailExport,
  TrailFinding,
  TrailReport,
} from './audit-trail.ts'
export { cacheUrl } from './cache.ts'
export {
  appliesMigrations,
  bringUpToDate,
  databaseUrl,
  developmentDatabase,
  requireUpToDate,
} from './database.ts'
export {
  defineServer,
  type HealthCheckOptions,
  migrationSources,
  ServerDefinition,
} from './define-server.ts'
export {
  type CrossOriginRule,
  type ImportedLine,
  type Lifecycle,
  type SignedOutEveryone,
  type SignOut,
  type UserImport,
  validateDefinition,
  validateEnvironment,
} from './lifecycle.ts'
export type {
  TerminalAccount,
  TerminalCode,
  TerminalDevice,
  TerminalKey,
  TerminalProof,
  TerminalSignIn,
} from './terminal-device.ts'
