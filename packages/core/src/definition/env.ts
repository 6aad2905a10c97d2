import {
  address,
  defineEnv,
  duration,
  flag,
  integer,
  oneOf,
  plain,
  type Variable,
  webAddress,
} from '../env/env.ts'
import { eventVariables } from '../events/env.ts'
import { shutdownVariables } from '../http/env.ts'
import { processCount, processVariables } from '../processes/processes.ts'
import { proxyGuardVariables } from '../proxy-guard/env.ts'
import { telemetryVariables } from '../telemetry/env.ts'

/** In Node's form: brackets belong to the address in a URL. */
const listeningHost: Variable<string> = plain((given) =>
  given?.startsWith('[')
    ? { problem: 'must have no brackets: write an IPv6 address like ::1, or :: for every address' }
    : { value: given ?? 'localhost' },
)

const redisSchemes = ['', '+sentinel', '+cluster'].flatMap((kind) => [
  `redis${kind}`,
  `rediss${kind}`,
])

/** Every variable that the server itself reads. */
export const readServerEnv = defineEnv({
  NODE_ENV: oneOf('development', 'test', 'production'),
  SVC_PORT: integer({ initial: 8790, min: 0, max: 65_535 }),
  // `svc start` reads it too, for the address of the web app.
  SVC_HOST: listeningHost,
  ...processVariables,
  ...shutdownVariables,
  SVC_API_URL: webAddress,
  NEXT_PUBLIC_SVC_API_URL: webAddress,
  DATABASE_URL: address('postgres', 'postgresql', 'embedded'),
  DATABASE_URL_DIRECT: address('postgres', 'postgresql'),
  SVC_DATABASE_CONNECTIONS: integer({ initial: undefined, min: 2, max: 1000 }),
  DATABASE_URL_REPLICA: address('postgres', 'postgresql'),
  SVC_DATABASE_REPLICA_LAG: duration('10s'),
  SVC_MIGRATE: oneOf('auto', 'apply', 'refuse'),
  CACHE_URL: address(...redisSchemes, 'postgres'),
  ...eventVariables,
  SVC_LOG_LEVEL: oneOf('info', 'debug', 'warn', 'error', 'fatal', 'silent'),
  SVC_RATE_LIMIT: flag(true),
  SVC_TRUSTED_PROXY_HOPS: integer({ initial: 0, min: 0, max: 16 }),
  ...proxyGuardVariables,
  ...telemetryVariables,
})

export type ServerEnv = ReturnType<typeof readServerEnv>

// Ten are enough for one process. Several processes share a database, which accepts a hundred.
const connectionsOfOne = 10
const connectionsOfAll = 40

/** The most connections to the database that this process pools. */
export function connectionCount(env: ServerEnv) {
  const share = Math.floor(connectionsOfAll / processCount(env))
  return env.SVC_DATABASE_CONNECTIONS ?? Math.max(2, Math.min(connectionsOfOne, share))
}
