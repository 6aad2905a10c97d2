import type { ServerDefinition } from '../definition/definition.ts'
import { readServerEnv } from '../definition/env.ts'
import { type EnvironmentSource, processEnvironment } from '../env/env.ts'
import { createLogger } from '../observation/observation.ts'
import { isMember, serveSupervised, superviseProcesses } from '../processes/processes.ts'
import { failureText } from './failure-text.ts'
import { processesToStart } from './processes-to-start.ts'
import { type RunningServer, type StartOptions, startServer } from './start-server.ts'

/**
 * Runs a server as a process. A failed start prints one sentence. A signal stops it in order, a
 * second one at once. With `SVC_PROCESSES` it starts that many processes instead, and returns in
 * each of them, but not in this one.
 */
export async function runServer(definition: ServerDefinition, options: StartOptions = {}) {
  try {
    const source = options.env ?? processEnvironment()
    const { count, env, problem } = processesToStart(definition, source)
    if (problem) logOf(options, env).warn(problem)
    if (count > 1) {
      return await superviseProcesses({ count, log: logOf(options, env) })
    }
    const server = await startServer(definition, { ...options, env })
    if (isMember()) serveSupervised(server.stop)
    else endOnSignal(server)
    return server
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`)
    return process.exit(1)
  }
}

const logOf = ({ log }: StartOptions, env: EnvironmentSource) =>
  log ?? createLogger({ level: readServerEnv(env).SVC_LOG_LEVEL })

function endOnSignal(server: RunningServer) {
  let signals = 0
  const end = () => {
    signals += 1
    if (signals > 1) process.exit(1)
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end).on('SIGINT', end)
}
