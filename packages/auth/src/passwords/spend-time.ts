import bcrypt from 'bcrypt'

/** Of this thread's own work where Node tells it: what else the machine does must not count. */
export function threadMillis() {
  const used = process.threadCpuUsage?.()
  return used ? (used.user + used.system) / 1000 : performance.now()
}

let usual: number | null = null

/** Works on until as much has been spent since then as `run` takes. That is measured once in each thread. */
export function spendAsMuchAs(run: () => void, since: number) {
  const spentBefore = threadMillis() - since
  usual ??= timeOf(run)
  const until = threadMillis() + usual - spentBefore
  // A millisecond each.
  while (threadMillis() < until) bcrypt.hashSync('', 4)
}

function timeOf(run: () => void) {
  const started = threadMillis()
  run()
  return threadMillis() - started
}
