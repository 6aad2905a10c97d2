import { EnvironmentError } from '../env/env.ts'
import { processCount } from '../processes/processes.ts'
import { databaseUrl } from './database.ts'
import type { ServerDefinition } from './define-server.ts'
import type { ServerEnv } from './env.ts'

/**
 * Where the cache of an application is. Undefined for the memory of its process, which several
 * processes never use.
 */
export function cacheUrl(definition: ServerDefinition, env: ServerEnv) {
  if (processCount(env) === 1) return env.CACHE_URL
  const { events, websockets } = definition.settings
  if ([events, websockets].some((streams) => streams?.options.multiInstance === false)) {
    throw new EnvironmentError([
      'SVC_PROCESSES is more than one, but multiInstance: false keeps events in the process that emits them: remove one of the two',
    ])
  }
  if (env.CACHE_URL) return env.CACHE_URL
  if (databaseUrl(definition, env)) return 'postgres:'
  if (!events && !websockets) return undefined
  throw new EnvironmentError([
    'CACHE_URL is required where SVC_PROCESSES is more than one: this application has streams and no database',
  ])
}
