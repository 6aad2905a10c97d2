/** A server in several processes that share a port, by `node:cluster`: as `SVC_PROCESSES` does, for all peers alike. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Usage } from '../harness/served.ts'

const { BENCH_FILE: exec = '', BENCH_PROCESSES: processes = '1' } = process.env
cluster.setupPrimary({ exec })

const workers: Worker[] = []

/** The first one starts alone: it makes the tables. */
async function start() {
  const worker = cluster.fork({ SVC_PROCESSES: processes, SVC_SUPERVISED: 'yes' })
  worker.on('exit', () => process.exit(1))
  const [message] = (await once(worker, 'message')) as [{ url: string }]
  workers.push(worker)
  return message
}

async function usageOf(worker: Worker) {
  const answer = once(worker, 'message') as Promise<[Usage]>
  worker.send('usage')
  return (await answer)[0]
}

async function tellUsage() {
  const { user, system } = process.cpuUsage()
  const all = [
    { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() },
    ...(await Promise.all(workers.map(usageOf))),
  ]
  const sum = (part: 'cpuMicros' | 'rssBytes') => all.reduce((total, each) => total + each[part], 0)
  process.send?.({ cpuMicros: sum('cpuMicros'), rssBytes: sum('rssBytes') })
}
process.on('message', () => void tellUsage())
process.on('disconnect', () => process.exit())

const first = await start()
while (workers.length < Number(processes)) await start()
process.send?.(first)
