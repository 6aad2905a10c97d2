import type { Api } from '../call/api.ts'
import { type ApiOptions, createApi } from '../call/create-api.ts'
import type { SigningKey } from '../call/sign-request.ts'
import { migrationSources, type ServerDefinition } from '../definition/define-server.ts'
import type { EnvironmentSource } from '../env/env.ts'
import { createLogger } from '../observation/logger.ts'
import { routeMapOf } from '../routes/route-map.ts'
import { startServer } from '../server/start-server.ts'
import { signedFetch } from './signed-fetch.ts'
import { testVariables, withPlaceForTests } from './test-variables.ts'
import { createVirtualClock } from './virtual-clock.ts'

export interface TestServerOptions {
  /** Variables beside those of the kit itself and of `.env.test`. */
  env?: EnvironmentSource
  /** A fresh database for this server, cloned from one that is migrated already. */
  database?: boolean
}

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
      ...(fresh && { DATABASE_URL: fresh.url }),
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
  const stop = async () => {
    running.delete(stop)
    await server.stop()
    await fresh?.drop()
  }
  running.add(stop)
  return {
    ...server,
    clock,
    /** What was logged, entry by entry. */
    logged: lines,
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    /** Signs by the server's clock. */
    signedFetch: (key: SigningKey) => signedFetch(key, url, () => clock.now().getTime()),
    /** A typed client of the router this server answers for. */
    api: <AnyRouter>(options?: Partial<ApiOptions>): Api<AnyRouter> =>
      createApi<AnyRouter>({
        routeMap: routeMapOf(definition.settings.router),
        baseUrl: url,
        ...options,
      }),
    stop,
  }
}

async function freshDatabase(definition: ServerDefinition) {
  const { createTestDatabase } = await import('./test-database.ts')
  return createTestDatabase({ sources: migrationSources(definition) })
}
