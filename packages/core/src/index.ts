export * from './app-database.ts'
export { asyncApi } from './asyncapi/asyncapi.ts'
export type { Cache } from './cache/cache.ts'
export { placeHeader } from './call/call.ts'
export { type Clock, systemClock } from './clock/clock.ts'
export * from './contract.ts'
export { contractBundle, contractsOf } from './contract-bundle/contract-bundle.ts'
export {
  afterCommit,
  type Db,
  databaseFailure,
  homeOf,
  type MigrationSource,
  prepared,
  type Settings,
  settingsOf,
  type Tx,
  withSettings,
} from './database/database.ts'
export type { Database, MigrationStatus } from './database/server.ts'
export {
  type AuditTrail,
  defineServer,
  type ImportedLine,
  type Lifecycle,
  migrationSources,
  ServerDefinition,
  type SignedOutEveryone,
  type SignOut,
  type TerminalAccount,
  type TerminalCode,
  type TerminalDevice,
  type TerminalKey,
  type TerminalProof,
  type TerminalSignIn,
  type TrailCheck,
  type TrailExport,
  type TrailFinding,
  type TrailReport,
  type UserImport,
  validateDefinition,
  validateEnvironment,
} from './definition/definition.ts'
export { readServerEnv } from './definition/env.ts'
export { DefinitionError } from './definition/errors.ts'
export * from './env.ts'
export { catalogueErrors } from './errors/server.ts'
export { currentDb, payloadCheck } from './events/events.ts'
export { RequestInProgressError } from './idempotency/errors.ts'
export type {
  Infrastructure,
  JobMove,
  JobQueueState,
  JobState,
  OpenStream,
  QueuedJob,
  QueuedJobDetails,
  QueuedJobList,
  QueuedJobQuery,
  RunningJobs,
  RunningStreams,
  StreamList,
  StreamQuery,
} from './infrastructure/infrastructure.ts'
export { JobInputError } from './jobs/errors.ts'
export { defineJob, defineJobRouter, Job, type JobContext, type JobRouter } from './jobs/jobs.ts'
export {
  type Counter,
  createLogger,
  type Histogram,
  type Labels,
  type Log,
  type Metrics,
  type Reading,
  redact,
} from './observation/observation.ts'
export { accessTable, openApi, type RouteAccess } from './openapi/openapi.ts'
export { type Cursor, type CursorPage, defineCursor, pageOf, pageQuery } from './paging/paging.ts'
export { coresOfProcess } from './processes/processes.ts'
export { parseJson } from './request/client.ts'
export {
  addressSubject,
  clientAddress,
  hashBody,
  type RawContext,
  readBody,
  receiveBody,
} from './request/request.ts'
export type { Credential, MiddlewareDocuments, Refusal, SecurityScheme } from './routes/contract.ts'
export {
  defineMiddleware,
  HandlerContext,
  type InputData,
  type Middleware,
  type Next,
  routeTable,
  type TableRow,
} from './routes/routes.ts'
export {
  documentedRoutes,
  failureText,
  type RunningServer,
  readHealth,
  routeMapOfServer,
  runServer,
  type ServerHealth,
  type StartOptions,
  startServer,
} from './server/server.ts'
export {
  createStreamTokens,
  type EventStreamOptions,
  type SSEToken,
  type SSETokenStore,
  type StreamAuthOptions,
  type StreamCredentials,
  type StreamGrant,
  type StreamToken,
  type StreamTokenOptions,
  type StreamTokenStore,
  type StreamTokens,
  type WebSocketOptions,
} from './streams/streams.ts'
export {
  doneBy,
  mayUseTool,
  missingPermissions,
  type OfferedTool,
  offerTools,
  type TaskOfTool,
  type Tool,
  type ToolOffer,
  toolsOf,
  toolsServed,
  toolTable,
} from './tools/tools.ts'
