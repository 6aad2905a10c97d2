import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../clock/clock.ts'
import {
  type CrossOriginRule,
  cacheUrl,
  databaseUrl,
  type ServerDefinition,
  validateDefinition,
  validateEnvironment,
} from '../definition/definition.ts'
import { readServerEnv, type ServerEnv } from '../definition/env.ts'
import { EnvironmentError, type EnvironmentSource, processEnvironment } from '../env/env.ts'
import { catalogueErrors } from '../errors/server.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { broadcastSettings, connectEvents } from '../events/events.ts'
import { shutdownDelayMillis } from '../http/env.ts'
import {
  areHanded,
  type Dispatch,
  drain,
  lingerAfter,
  listen,
  startLeaving,
  type Upgrade,
} from '../http/http.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { AnyJob, Job } from '../jobs/jobs.ts'
import { createLogger, type Log } from '../observation/observation.ts'
import type { Presence } from '../presence/presence.ts'
import { guardMode } from '../proxy-guard/env.ts'
import { proxyGuard } from '../proxy-guard/proxy-guard.ts'
import type { TableRow } from '../routes/routes.ts'
import { StreamsOfServer } from '../streams/streams.ts'
import { startTelemetry, watched } from '../telemetry/telemetry.ts'
import { serveTools } from '../tools/tools.ts'
import { type CloseLater, connectInfrastructure } from './connect-infrastructure.ts'
import { withOrigins } from './cors.ts'
import { bindRoutes, createDispatch } from './dispatch.ts'
import { errorMessages } from './error-messages.ts'
import { forgettingJobs } from './forget-expired.ts'
import type { ServerState } from './health.ts'
import { addListeningOrigins, configuredOrigins } from './own-origins.ts'
import { servedRoutes } from './served-routes.ts'

/** How to start a server, where it is not as the environment says. */
export interface StartOptions {
  /** Where to read variables from; the process's own unless set. */
  env?: EnvironmentSource
  /** It wins over `SVC_PORT`; 0 means a free port. */
  port?: number
  clock?: Clock
  log?: Log
}

/** A server that listens, until `stop`. */
export interface RunningServer {
  readonly url: string
  readonly infrastructure: Infrastructure
  /** @internal The jobs that it runs, including those of its packages. */
  readonly jobs: readonly Job[]
  /**
   * Runs a function as a part of this server, so that its events and jobs are this server's. Only a
   * process with several applications needs it, outside of their requests and jobs.
   */
  readonly within: <Result>(run: () => Result) => Result
  /**
   * Reports that it stops, and continues for `SVC_SHUTDOWN_DELAY`. Then it refuses new requests,
   * lets the running ones finish, and closes all its connections.
   */
  readonly stop: () => Promise<void>
}

/**
 * Starts a server in the only safe order: environment and routes are checked before anything
 * connects, and the port opens last. If a step fails, everything that was opened is closed again.
 */
export async function startServer(
  definition: ServerDefinition,
  options: StartOptions = {},
): Promise<RunningServer> {
  catalogueErrors(errorMessages)
  const source = options.env ?? processEnvironment()
  const env = checkedEnvironment(definition, source)
  const log = options.log ?? createLogger({ level: env.SVC_LOG_LEVEL })
  const state: ServerState = { shuttingDown: false }
  const stopping = new AbortController()
  const production = env.NODE_ENV === 'production'
  const streams = new StreamsOfServer()
  const telemetry = await startTelemetry(env)
  const served = servedRoutes(definition, { state, streams, log, production })
  checkRoutes(definition, served)
  const table = [...served, ...(telemetry?.rows ?? [])]
  const routes = bindRoutes(table, proxyGuard(env), telemetry?.requests)
  const { closeLater, closeAll } = closers()
  try {
    const { clock } = options
    const ownOrigins = configuredOrigins(env)
    const given = {
      source,
      env,
      log,
      clock,
      streams: streams.open,
      ownOrigins,
      telemetry,
      stopping: stopping.signal,
      closeLater,
    }
    const server = await connectInfrastructure(definition, given)
    serveTools(server, table)
    const eventLog = await openEventLog(definition, server)
    if (eventLog) closeLater(() => eventLog.close())
    const presence = await openPresence(definition, server, env)
    const own = jobsOf(definition)
    const jobs = [...own, ...forgettingJobs(table, server, { others: own })]
    const work = { server, source, env, jobs, eventLog, presence, closeLater }
    const { within, wired, gaps, channelPrefix } = await startWork(definition, work)
    const sources = { eventLog, gaps, channelPrefix, presence }
    await within(() => streams.start(definition.settings, server, sources))
    await wired()
    if (telemetry?.metrics) {
      const { showGauges } = await import('../telemetry/server.ts')
      showGauges(telemetry.metrics, { server, streams })
    }
    closeLater(() => streams.close())
    const answered = withOrigins(crossOrigin(definition), createDispatch(routes, server))
    const watchedDispatch = watched(answered, telemetry)
    const dispatch: Dispatch = (...request) => within(() => watchedDispatch(...request))
    const port = options.port ?? env.SVC_PORT
    const { limits } = definition.settings
    const upgrade = upgradeWithin(streams.upgrade, within)
    const place = { port, host: env.SVC_HOST, handed: areHanded(env), limits, upgrade }
    // Node gives each connection the context in which its port was opened. So `within` costs
    // nothing for a request.
    const { http, url } = await within(() => listen(dispatch, place))
    addListeningOrigins(ownOrigins, url, env)
    log.info({ url }, 'listening')
    const stop = once(async () => {
      state.shuttingDown = true
      startLeaving(http)
      const delayMillis = shutdownDelayMillis(env)
      if (delayMillis > 0) await delayShutdown(delayMillis, log)
      stopping.abort()
      try {
        await within(() => sayFarewell(definition, server))
      } finally {
        // A stream is a request that never ends by itself. The drain cuts off requests that do not
        // end in time.
        await Promise.all([streams.close(), drain(http, lingerAfter(delayMillis))])
        await closeAll()
      }
    })
    return { url, infrastructure: server, jobs, within, stop }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function crossOrigin({ settings: { lifecycles, origins } }: ServerDefinition): CrossOriginRule[] {
  const ofPackages = lifecycles.flatMap((lifecycle) => lifecycle.crossOrigin ?? [])
  return origins.length > 0 ? [...ofPackages, { origins, includes: () => true }] : ofPackages
}

function checkedEnvironment(definition: ServerDefinition, source: EnvironmentSource) {
  let env: ServerEnv | undefined
  validateEnvironment([
    () => {
      env = readServerEnv(source)
      databaseUrl(definition, env)
      cacheUrl(definition, env)
    },
    () => void (env && guardMode(env)),
    () => env && refuseUnlimited(env),
    ...definition.settings.env.map((read) => () => void read(source)),
    ...definition.settings.lifecycles.map(
      (lifecycle) => () => lifecycle.validateEnvironment?.(source),
    ),
  ])
  return env as ServerEnv
}

function refuseUnlimited({ NODE_ENV, SVC_RATE_LIMIT }: ServerEnv) {
  if (NODE_ENV !== 'production' || SVC_RATE_LIMIT) return
  throw new EnvironmentError(['SVC_RATE_LIMIT cannot be off in production'])
}

function checkRoutes({ settings }: ServerDefinition, served: readonly TableRow[]) {
  validateDefinition(
    settings.lifecycles.map((lifecycle) => () => lifecycle.validateRoutes?.(served)),
  )
}

/** Remembers what to close, and closes it in the reverse order of opening. */
function closers() {
  const open: (() => Promise<void>)[] = []
  const closeLater: CloseLater = (close) => open.push(close)
  const closeAll = async () => {
    for (let close = open.pop(); close; close = open.pop()) await close()
  }
  return { closeLater, closeAll }
}

interface Work {
  server: Infrastructure
  source: EnvironmentSource
  env: ServerEnv
  jobs: readonly AnyJob[]
  eventLog: EventLog | undefined
  presence: Presence | undefined
  closeLater: CloseLater
}

/** Loaded only if a router keeps a history. */
async function openEventLog({ settings }: ServerDefinition, server: Infrastructure) {
  const { events, websockets } = settings
  if (!events?.router.history && !websockets?.router.history) return undefined
  const log = await import('../event-log/event-log.ts')
  return log.openEventLog(settings, server)
}

/** Loaded only if a channel tells who follows it. */
async function openPresence(
  { settings }: ServerDefinition,
  server: Infrastructure,
  env: ServerEnv,
) {
  const { events, websockets } = settings
  if (!events?.router.hasPresence && !websockets?.router.hasPresence) return undefined
  const presence = await import('../presence/presence.ts')
  return presence.openPresence(settings, server, broadcastSettings(settings, env))
}

/** Packages first, so that they are ready before the first event and the first job. */
async function startWork(
  { settings }: ServerDefinition,
  { server, source, env, jobs, eventLog: recorder, presence, closeLater }: Work,
) {
  const { lifecycles } = settings
  const events = connectEvents({
    ...server,
    ...broadcastSettings(settings, env),
    recorder,
    presence,
  })
  closeLater(events.close)
  const { within } = events
  for (const { afterInfrastructure } of lifecycles) {
    const close = await within(() => afterInfrastructure?.(server, source))
    if (close) closeLater(() => within(close))
  }
  if (jobs.length === 0) return events
  const { startJobs } = await import('../jobs/server.ts')
  const started = await within(() => startJobs(jobs, server))
  closeLater(started.stop)
  Object.assign(server, { jobs: started.running })
  return events
}

/** A key is a name within one router only: an application may use the same one as a package. */
function jobsOf({ settings: { lifecycles, jobs } }: ServerDefinition): AnyJob[] {
  const routers = [...lifecycles.map((lifecycle) => lifecycle.jobs), jobs]
  return routers.flatMap((router) => Object.values(router ?? {}))
}

type Within = <Result>(run: () => Result) => Result

function upgradeWithin(upgrade: Upgrade | undefined, within: Within): Upgrade | undefined {
  return upgrade && ((...handshake) => within(() => upgrade(...handshake)))
}

/**
 * Nothing else changes until balancers have noticed: requests that they still send are answered.
 */
async function delayShutdown(delayMillis: number, log: Log) {
  log.info({ delayMillis }, 'going down')
  await wait(delayMillis)
}

async function sayFarewell({ settings }: ServerDefinition, server: Infrastructure) {
  for (const { beforeShutdown } of settings.lifecycles.toReversed()) await beforeShutdown?.(server)
}

/** The second call returns the promise of the first. */
function once(run: () => Promise<void>) {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
