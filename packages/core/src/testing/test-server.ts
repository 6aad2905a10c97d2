import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Api } from '../call/api.ts'
import { type ApiOptions, createApi } from '../call/create-api.ts'
import type { SigningKey } from '../call/sign-request.ts'
import { migrationSources, type ServerDefinition } from '../definition/define-server.ts'
import type { EnvironmentSource } from '../env/env.ts'
import type { EventRouter } from '../events/contract.ts'
import { createLogger } from '../observation/logger.ts'
import { routeMapOf } from '../routes/route-map.ts'
import { startServer } from '../server/start-server.ts'
import { FollowedStream, type FollowOptions } from './followed-stream.ts'
import { runScheduled } from './run-scheduled.ts'
import { signedFetch } from './signed-fetch.ts'
import type { TestDatabase } from './test-database.ts'
import { testVariables, withPlaceForTests } from './test-variables.ts'
import { createVirtualClock } from './virtual-clock.ts'

export interface TestServerOptions {
  /** Variables beside those of the kit itself and of `.env.test`. */
  env?: EnvironmentSource
  /** A fresh database for this server, cloned from one that is migrated already. */
  database?: boolean
}

/** A running server with what a test needs: its address, clock, log, typed client and streams. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** What stops the servers that no test has stopped yet. */
const running = new Set<() => Promise<void>>()

/** @internal A file whose tests failed or were skipped may leave servers behind. */
export async function stopTestServers() {
  for (const stop of running) await stop()
}

/** A server on a free port with a clock of its own and, when asked for, a fresh database. */
export async function startTestServer(
  definition: ServerDefinition,
  { env = {}, database = false }: TestServerOptions = {},
) {
  const clock = createVirtualClock()
  const lines: Record<string, unknown>[] = []
  const log = createLogger({
    level: 'debug',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  })
  const fresh = database ? await freshDatabase(definition) : undefined
  const server = await startServer(definition, {
    env: {
      ...testVariables(),
      NODE_ENV: 'test',
      // A file of tests calls one route more often than any caller would. In production that is refused.
      ...(env.NODE_ENV !== 'production' && { SVC_RATE_LIMIT: 'off' }),
      ...(fresh && addressOf(fresh)),
      ...env,
    },
    port: 0,
    clock,
    log,
  }).catch(async (error: unknown) => {
    await fresh?.drop()
    throw withPlaceForTests(error)
  })
  const { url } = server
  const connections = connectionsOf(url)
  const stop = async () => {
    running.delete(stop)
    connections.forget()
    await server.stop()
    await fresh?.drop()
  }
  /** Cuts every connection, as the end of its process would, and then stops. */
  const kill = async () => {
    connections.cut()
    await stop()
  }
  running.add(stop)
  return {
    ...server,
    clock,
    /** What was logged, entry by entry. */
    logged: lines,
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    /** Runs a scheduled job now, by its name: `await server.runScheduled('nightly')`. */
    runScheduled: (name: string) => runScheduled(server, name),
    /** Signs by the server's clock. */
    signedFetch: (key: SigningKey) => signedFetch(key, url, () => clock.now().getTime()),
    /** Opens an event stream that the test reads step by step. */
    follow: <Router extends EventRouter>(options: FollowOptions<Router>) =>
      FollowedStream.open<Router>(url, options),
    /** A typed client of the router this server answers for. */
    api: <AnyRouter>(options?: Partial<ApiOptions>): Api<AnyRouter> =>
      createApi<AnyRouter>({
        routeMap: routeMapOf(definition.settings.router),
        baseUrl: url,
        ...options,
      }),
    kill,
    stop,
  }
}

/** The server's half of every connection to it. */
function connectionsOf(url: string) {
  const port = Number(new URL(url).port)
  const open = new Set<Socket>()
  const keep = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (socket.localPort !== port) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const channel = 'net.server.socket'
  subscribe(channel, keep)
  return {
    forget: () => unsubscribe(channel, keep),
    cut() {
      for (const socket of open) socket.destroy(new Error('The server was killed.'))
    },
  }
}

/** Row level security must bind the server, as it does in production. */
function addressOf({ url, processUrl }: TestDatabase) {
  return processUrl ? { DATABASE_URL: processUrl, DATABASE_URL_DIRECT: url } : { DATABASE_URL: url }
}

async function freshDatabase(definition: ServerDefinition) {
  const { createTestDatabase } = await import('./test-database.ts')
  return createTestDatabase({ sources: migrationSources(definition) })
}
