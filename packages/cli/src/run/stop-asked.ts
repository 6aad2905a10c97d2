import { readEnv } from '../env.ts'

/**
 * Resolves when the user ends the command: by Ctrl-C, a signal, or the end of the npm that runs it.
 */
export function stopAsked() {
  return new Promise<void>((resolve) => {
    const stop = () => resolve()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (readEnv().npmScript) whenParentEnds(stop)
  })
}

/**
 * A killed npm, or its shell, sends us nothing. The processes that we started would run for ever.
 */
function whenParentEnds(stop: () => void) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 250)
  watch.unref()
}
