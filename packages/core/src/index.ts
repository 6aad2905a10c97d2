export * from './app-database.ts'
export { asyncApi } from './asyncapi/asyncapi.ts'
export type { Cache } from './cache/cache.ts'
export { placeHeader } from './call/kept-place.ts'
export { type Clock, systemClock } from './clock/clock.ts'
export * from './contract.ts'
export { contractBundle, contractsOf } from './contract-bundle/contract-bundle.ts'
export { databaseFailure } from './database/failures.ts'
export type { MigrationStatus } from './database/migrate.ts'
export type { MigrationSource } from './database/migration-source.ts'
export type { Database } from './database/server.ts'
export { prepared } from './database/statement.ts'
export { afterCommit, type Db, type Tx } from './database/transaction.ts'
export * from './env.ts'
export { currentDb } from './events/connect-events.ts'
export { payloadCheck } from './events/payload-check.ts'
export type { Infrastructure } from './infrastructure/infrastructure.ts'
export { JobInputError } from './jobs/errors.ts'
export { defineJob, defineJobRouter, Job, type JobContext, type JobRouter } from './jobs/jobs.ts'
export { createLogger, type Log, redact } from './observation/logger.ts'
export {
  type Counter,
  type Histogram,
  type Labels,
  type Metrics,
  type Reading,
} from './observation/metrics.ts'
export { accessTable, type RouteAccess } from './openapi/access-table.ts'
export { openApi } from './openapi/openapi.ts'
export { clientAddress } from './request/client-address.ts'
export { hashBody, receiveBody } from './request/hash-body.ts'
export { parseJson } from './request/json-body.ts'
export type { RawContext } from './request/raw-context.ts'
export { readBody } from './request/read-body.ts'
export { HandlerContext, type InputData } from './routes/context.ts'
export type { Refusal } from './routes/error-class.ts'
export { defineMiddleware, type Middleware, type Next } from './routes/middleware.ts'
export type {
  Credential,
  MiddlewareDocuments,
  SecurityScheme,
} from './routes/middleware-documents.ts'
export { routeTable, type TableRow } from './routes/route-table.ts'
export { defineServer, migrationSources, ServerDefinition } from './server/define-server.ts'
export { DefinitionError } from './server/definition-error.ts'
export { readServerEnv } from './server/env.ts'
export { failureText } from './server/failure-text.ts'
export { type Lifecycle, validateDefinition, validateEnvironment } from './server/lifecycle.ts'
export { routeMapOfServer } from './server/route-map-of-server.ts'
export { runServer } from './server/run-server.ts'
export { documentedRoutes } from './server/served-routes.ts'
export type { SignedOutEveryone, SignOut } from './server/sign-out.ts'
export { type RunningServer, type StartOptions, startServer } from './server/start-server.ts'
export type { ImportedLine, UserImport } from './server/user-import.ts'
export {
  createStreamTokens,
  type StreamTokenOptions,
} from './streams/access/create-stream-tokens.ts'
export type { StreamCredentials } from './streams/access/stream-credentials.ts'
export type {
  EventStreamOptions,
  StreamAuthOptions,
  WebSocketOptions,
} from './streams/access/stream-options.ts'
export type {
  SSEToken,
  SSETokenStore,
  StreamGrant,
  StreamToken,
  StreamTokenStore,
  StreamTokens,
} from './streams/access/stream-tokens.ts'
