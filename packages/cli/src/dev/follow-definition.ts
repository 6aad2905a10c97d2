import { fileURLToPath } from 'node:url'
import { runCommand } from '../run/run.ts'

const launcher = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))

interface Following {
  server: string
  env: NodeJS.ProcessEnv
  write: (line: string) => void
}

/**
 * Writes the route map when routes have changed, in a separate process: this one has not loaded a
 * definition.
 */
export function followDefinition({ server, env, write }: Following) {
  let current = new AbortController()
  const writeLines = (text: string) => {
    for (const line of text.trim().split('\n')) write(`svc │ ${line}`)
  }
  return {
    /** Only the last change counts: an earlier run is aborted. */
    async look({ isFailureKnown = false } = {}) {
      current.abort()
      current = new AbortController()
      const { signal } = current
      const { passed, errors } = await runCommand(
        [
          process.execPath,
          ...process.execArgv,
          launcher,
          'generate',
          '--routes',
          '--server',
          server,
        ],
        // At once: a run that is aborted later may have written the route map.
        { env, signal, onResult: writeLines },
      )
      if (signal.aborted || passed || isFailureKnown) return
      writeLines(errors)
      write('svc │ the route map is as it was')
    },
    stop: () => current.abort(),
  }
}
