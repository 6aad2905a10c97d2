import cluster from 'node:cluster'
import { joinMetrics } from './join-metrics.ts'
import { isMessage, type Message, type MetricsPart } from './messages.ts'

/** To a supervisor that is gone nothing can be said: without a listener for that, the process would end. */
const say = (message: Message) => void process.send?.(message, undefined, undefined, () => {})

/**
 * Tells the supervisor that this process serves, and ends when the supervisor says so: by `SIGTERM`. A terminal sends
 * `SIGINT` to the supervisor and to all of them at once, which must not count twice.
 */
export function serveSupervised(stop: () => Promise<void>) {
  const end = () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end).on('SIGINT', () => {})
  // A supervisor that was killed has taken the port with it. Requests under way still get their answers: Node would end
  // the process at once.
  process.prependOnceListener('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    end()
  })
  say({ svc: 'ready' })
}

/** Gives the supervisor this process's metrics when it asks, and answers with those of all. */
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
    // The supervisor is gone, and nobody gathers those of the others.
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
