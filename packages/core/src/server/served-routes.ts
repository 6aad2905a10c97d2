import { asyncApiRoutes } from '../asyncapi/asyncapi.ts'
import type { ServerDefinition } from '../definition/definition.ts'
import type { Log } from '../observation/observation.ts'
import { openApiRoutes, withCredentials } from '../openapi/openapi.ts'
import { defineRouter } from '../routes/contract.ts'
import { routeTable, type TableRow } from '../routes/routes.ts'
import {
  besideStreamsRouter,
  eventStreamRouter,
  refuseUnasked,
  StreamsOfServer,
} from '../streams/streams.ts'
import { coreRoutes, healthPathRoutes, type ServerState } from './health.ts'

interface Given {
  state: ServerState
  streams: StreamsOfServer
  log: Log
  production: boolean
}

/** The routes inside the server's own middleware and then the application's. */
function applicationRouter(settings: ServerDefinition['settings'], streams: StreamsOfServer) {
  const { router = defineRouter({}), middlewares } = settings
  const beside = besideStreamsRouter(settings, streams)
  return defineRouter({})
    .packages([router.packages([beside])])
    .use(middlewares)
}

interface Parts {
  core: TableRow[]
  health: TableRow[]
  stream: TableRow[]
  application: TableRow[]
}

function partsOf(
  settings: ServerDefinition['settings'],
  { state, streams }: Pick<Given, 'state' | 'streams'>,
): Parts {
  const application = routeTable(applicationRouter(settings, streams))
  const stream = routeTable(eventStreamRouter(settings, streams))
  refuseTaken(stream, application)
  const claimed = application.find(({ route }) => address(route) === 'GET /health')
  const health = routeTable(healthPathRoutes(state, settings.health))
  return {
    core: routeTable(coreRoutes(state, settings.health)),
    health: health.filter(({ name }) => !(claimed && name === 'coreHealthMoved')),
    stream,
    application,
  }
}

/** The framework's routes and then the application's. The first match answers. */
export function servedRoutes({ settings }: ServerDefinition, given: Given): TableRow[] {
  refuseUnasked(settings)
  const parts = partsOf(settings, given)
  const { core, health, stream, application } = parts
  const documents = given.production
    ? []
    : [openApiRoutes(described(parts, settings)), asyncApiRoutes(settings)].flatMap(routeTable)
  for (const { name, route } of application.filter(isShadowedBy(health))) {
    given.log.warn(
      `Route "${name}" (${address(route)}) does not run: healthCheck({ path }) answers there. Move one of them.`,
    )
  }
  return [
    ...unguarded(core),
    ...documents,
    ...unguarded(health),
    ...unguarded(stream),
    ...application.filter((row) => !isShadowedBy(health)(row)),
  ]
}

/** Every route of a server, including its own, for documents: no running server is needed. */
export function documentedRoutes({ settings }: ServerDefinition): TableRow[] {
  const state = { shuttingDown: false }
  return described(partsOf(settings, { state, streams: new StreamsOfServer() }), settings)
}

const described = (parts: Parts, { lifecycles }: ServerDefinition['settings']) =>
  withCredentials(
    inOrder(parts),
    lifecycles.flatMap(({ credentials = {} }) => Object.entries(credentials)),
  )

function inOrder({ application, stream, health, core }: Parts) {
  const running = application.filter((row) => !isShadowedBy(health)(row))
  return [...running, ...stream, ...health, ...core]
}

/**
 * No proxy is in front of these. Probes and balancers don't sign. A client asks for the time when
 * the clocks differ by more than a signature allows. And a browser opens a stream at the API
 * itself, with a token that it got through the proxy.
 */
function unguarded(rows: TableRow[]): TableRow[] {
  return rows.map((row) => ({ ...row, unguarded: true }))
}

const address = ({ operation: { method, path } }: TableRow['route']) => `${method} ${path}`

/** Otherwise one of the two would never run. */
function refuseTaken(stream: TableRow[], application: TableRow[]) {
  const taken = new Set(stream.map(({ route }) => address(route)))
  const twin = application.find(({ route }) => taken.has(address(route)))
  if (twin) throw new Error(`Route "${twin.name}" is ${address(twin.route)}, where events stream.`)
}

function isShadowedBy(health: TableRow[]) {
  const taken = new Set(health.map(({ route }) => address(route)))
  return ({ route }: TableRow) => taken.has(address(route))
}
