import { asyncApiRoutes } from '../events/asyncapi-routes.ts'
import type { Log } from '../infrastructure/logger.ts'
import { openApiRoutes } from '../routes/openapi-routes.ts'
import { routeTable, type TableRow } from '../routes/route-table.ts'
import { defineRouter } from '../routes/router.ts'
import { refuseUnasked } from '../streams/refuse-unasked.ts'
import { eventStreamRouter, streamTokenRouter } from '../streams/stream-routes.ts'
import type { StreamsOfServer } from '../streams/streams-of-server.ts'
import type { ServerDefinition } from './define-server.ts'
import { coreRoutes, healthPathRoutes, type ServerState } from './health.ts'

interface Given {
  state: ServerState
  streams: StreamsOfServer
  log: Log
  production: boolean
}

/** What the server's own middleware and then the application's are around. */
function applicationRouter(settings: ServerDefinition['settings'], streams: StreamsOfServer) {
  const { router = defineRouter({}), middlewares } = settings
  const tokens = streamTokenRouter(settings, streams)
  return defineRouter({})
    .packages([router.packages([tokens])])
    .use(middlewares)
}

/** The framework's routes and then the application's: who comes first answers. */
export function servedRoutes(
  { settings }: ServerDefinition,
  { state, streams, log, production }: Given,
): TableRow[] {
  refuseUnasked(settings)
  const application = routeTable(applicationRouter(settings, streams))
  const stream = routeTable(eventStreamRouter(settings, streams))
  refuseTaken(stream, application)
  const core = routeTable(coreRoutes(state, settings.health))
  const health = routeTable(healthPathRoutes(state, settings.health))
  const documents = production
    ? []
    : [openApiRoutes([...application, ...stream]), asyncApiRoutes(settings)].flatMap(routeTable)
  const claimed = application.find(({ route }) => address(route) === 'GET /health')
  const kept = health.filter(({ name }) => !(claimed && name === 'coreHealthMoved'))
  return [
    ...unguarded(core),
    ...documents,
    ...unguarded(kept),
    ...unguarded(stream),
    ...withoutShadowed(application, kept, log),
  ]
}

/**
 * No proxy stands before these: probes and balancers sign nothing, the time is asked for when clocks differ by more
 * than a signature allows, and a browser opens a stream at the API itself, with a token that it got through the proxy.
 */
function unguarded(rows: TableRow[]): TableRow[] {
  return rows.map((row) => ({ ...row, unguarded: true }))
}

const address = ({ operation: { method, path } }: TableRow['route']) => `${method} ${path}`

/** One of the two would never run. */
function refuseTaken(stream: TableRow[], application: TableRow[]) {
  const taken = new Set(stream.map(({ route }) => address(route)))
  const twin = application.find(({ route }) => taken.has(address(route)))
  if (twin) throw new Error(`Route "${twin.name}" is ${address(twin.route)}, where events stream.`)
}

function withoutShadowed(application: TableRow[], health: TableRow[], log: Log) {
  const taken = new Set(health.map(({ route }) => address(route)))
  return application.filter(({ name, route }) => {
    if (!taken.has(address(route))) return true
    log.warn(
      `Route "${name}" (${address(route)}) does not run: healthCheck({ path }) answers there. Move one of them.`,
    )
    return false
  })
}
