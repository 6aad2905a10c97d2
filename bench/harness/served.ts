import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Usage {
  cpuMicros: number
  /** The processor time of its database, if the bench has one. */
  databaseMicros?: number
  rssBytes: number
}

/**
 * Tells the bench the address of this server, and afterwards its costs, as long as the bench lives.
 */
export function served(url: string) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url, readyMillis: performance.now() })
}

/** For servers that do not report their port. Processes that share one get the same. */
export async function freePort(): Promise<number> {
  if (process.env.BENCH_PORT) return Number(process.env.BENCH_PORT)
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
