import { readEnv } from '../env.ts'

/** Resolves when somebody ends the command: Ctrl-C, a signal, or the end of the npm that runs it. */
export function stopAsked() {
  return new Promise<void>((resolve) => {
    const stop = () => resolve()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    if (readEnv().npmScript) whenParentEnds(stop)
  })
}

/** An npm that is killed, or its shell, tells us nothing; what we started would stay for ever. */
function whenParentEnds(stop: () => void) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, 250)
  watch.unref()
}
