/** Of this thread's own work where Node tells it: what else the machine does must not count. */
export function threadMillis() {
  const used = process.threadCpuUsage?.()
  return used ? (used.user + used.system) / 1000 : performance.now()
}
