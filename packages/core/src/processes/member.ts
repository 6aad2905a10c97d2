import cluster from 'node:cluster'
import { joinMetrics } from './join-metrics.ts'
import { isMessage, type Message, type MetricsPart } from './messages.ts'

/** A supervisor that is gone can't get a message. Without this callback, the process would end. */
const say = (message: Message) => void process.send?.(message, undefined, undefined, () => {})

/**
 * Tells the supervisor that this process serves, and ends when the supervisor sends `SIGTERM`. A
 * terminal sends `SIGINT` to the supervisor and to all processes at once, which must not count
 * twice.
 */
export function serveSupervised(stop: () => Promise<void>) {
  const end = () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end).on('SIGINT', () => {})
  // A killed supervisor takes the port with it. Running requests still get their answers: Node
  // would end the process at once.
  process.prependOnceListener('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    end()
  })
  say({ svc: 'ready' })
}

/**
 * Gives the supervisor this process's metrics when it asks, and answers requests with those of all.
 */
export function metricsOfAll(ofThis: () => Promise<string>) {
  let asked = 0
  const waiting = new Map<number, (parts: readonly MetricsPart[]) => void>()
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.svc === 'metrics asked') void give(message.round)
    if (message.svc === 'metrics of all') {
      waiting.get(message.by)?.(message.parts)
      waiting.delete(message.by)
    }
  })
  process.once('disconnect', () => {
    for (const resolve of waiting.values()) resolve([])
  })

  async function give(round: number) {
    const text = await ofThis().catch(() => '')
    say({ svc: 'metrics of one', round, text })
  }

  return async () => {
    // Without the supervisor, no process gathers the metrics of the others.
    if (!process.connected) return ofThis()
    asked += 1
    const by = asked
    const { promise, resolve } = Promise.withResolvers<readonly MetricsPart[]>()
    waiting.set(by, resolve)
    say({ svc: 'metrics wanted', by })
    const parts = await promise
    return parts.length > 0 ? joinMetrics(parts) : ofThis()
  }
}
