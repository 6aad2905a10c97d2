export { currentSettings, underSettings } from './current-settings.ts'
export { deleteEnded } from './delete-ended.ts'
export { databaseFailure, isMissingInDatabase } from './failures.ts'
export type { MigrationSource } from './migration-source.ts'
export { prepared } from './statement.ts'
export {
  afterCommit,
  atCommit,
  clientOf,
  currentTransaction,
  type Db,
  homeOf,
  outsideTransaction,
  refuseBeside,
  type Settings,
  settingsOf,
  type Tx,
  withSettings,
} from './transaction.ts'
