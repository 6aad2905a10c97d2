import type { ServerDefinition } from '../definition/definition.ts'
import { failureText } from './failure-text.ts'
import { type RunningServer, type StartOptions, startServer } from './start-server.ts'

/** Runs a server as a process: a failed start is one sentence, a signal is an orderly end, a second one an end. */
export async function runServer(definition: ServerDefinition, options: StartOptions = {}) {
  try {
    const server = await startServer(definition, options)
    endOnSignal(server)
    return server
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`)
    return process.exit(1)
  }
}

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
