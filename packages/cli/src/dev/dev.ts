import type { Part, RunningPart } from '../run/run.ts'
import { followDefinition } from './follow-definition.ts'
import { holdDatabase } from './hold-database.ts'
import { holdPort } from './hold-port.ts'
import { WatchedApi } from './watched-api.ts'

interface Development {
  /** The file of the server definition. */
  server: string
  port: number
  write?: (line: string) => void
}

/**
 * Runs the API during development. This process keeps what must survive its restarts: the port, and
 * the embedded database.
 */
export async function developApi(
  part: Part,
  { server, port, write = console.log }: Development,
): Promise<RunningPart> {
  const held = await holdPort(port, part.env['SVC_HOST'] || 'localhost')
  const database = holdDatabase(part.env)
  const definition = followDefinition({ server, env: part.env, write })
  void database.join()
  const api = new WatchedApi(ofDevelopment(part), {
    server,
    port: held,
    write,
    onServing: () => {
      void definition.look()
      return database.join()
    },
    // The reason may be a migration that must be written. The API has reported all other reasons.
    onBroken: () => void definition.look({ isFailureKnown: true }),
  })
  return {
    name: part.name,
    isReady: () => api.isReady(),
    ended: api.ended,
    async stop() {
      definition.stop()
      await api.stop()
      await database.leave()
    },
  }
}

function ofDevelopment(part: Part): Part {
  // The next start reuses compiled code.
  const ahead = { NODE_COMPILE_CACHE: '.svc/compile-cache' }
  return { ...part, env: { ...ahead, ...part.env, SVC_LISTEN: 'handed' } }
}
