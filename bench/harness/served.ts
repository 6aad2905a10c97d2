import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Usage {
  cpuMicros: number
  /** Of the database that it asks, where the bench has one. */
  databaseMicros?: number
  rssBytes: number
}

/** Tells the bench where this server answers, and afterwards what it costs, for as long as the bench lives. */
export function served(url: string) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url, readyMillis: performance.now() })
}

/** For servers that do not say which port they were given. Processes that share one get the same. */
export async function freePort(): Promise<number> {
  if (process.env.BENCH_PORT) return Number(process.env.BENCH_PORT)
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
