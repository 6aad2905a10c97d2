import type { Cache } from '../cache/cache.ts'
import { linkOf } from '../events/events.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { Metrics } from '../observation/observation.ts'
import type { StreamsOfServer } from '../streams/streams.ts'

interface Shown {
  server: Infrastructure
  streams: StreamsOfServer
}

/** The present state of a server, read when metrics are requested. */
export function showGauges(metrics: Metrics, { server, streams }: Shown) {
  const { database, cache } = server
  if (database) showPool(metrics, database.pool)
  if (cache.shared) showBroadcast(metrics, cache)
  metrics.gauge('svc_streams_open', { help: 'Open event streams.', labels: ['kind'] }, () =>
    streams.kinds.map(({ kind, fanOut }) => ({ labels: { kind }, value: fanOut.size })),
  )
  metrics.gauge(
    'svc_stream_queue_bytes',
    {
      help: 'Bytes that wait in this process for slow clients of event streams.',
      labels: ['kind'],
    },
    () =>
      streams.kinds.map(({ kind, fanOut }) => ({ labels: { kind }, value: fanOut.waitingBytes })),
  )
}

function showPool(
  metrics: Metrics,
  pool: { totalCount: number; idleCount: number; waitingCount: number },
) {
  const state = (name: string, value: number) => ({ labels: { state: name }, value })
  metrics.gauge(
    'svc_database_connections',
    { help: 'Connections in the pool.', labels: ['state'] },
    () => [state('idle', pool.idleCount), state('used', pool.totalCount - pool.idleCount)],
  )
  metrics.gauge(
    'svc_database_connections_awaited',
    { help: 'How many wait for a connection of the pool.' },
    () => pool.waitingCount,
  )
}

function showBroadcast(metrics: Metrics, cache: Infrastructure['cache']) {
  const { breaker } = linkOf(cache)
  metrics.gauge(
    'svc_broadcast_breaker_open',
    { help: '1 while events are delivered in this process alone, because publishing failed.' },
    () => (breaker.isOpen ? 1 : 0),
  )
  metrics.gauge(
    'svc_cache_listening',
    { help: '1 while what other instances publish arrives here.' },
    () => (cache.isListening ? 1 : 0),
  )
}

const asked = [
  'get',
  'set',
  'setIfAbsent',
  'spend',
  'take',
  'increment',
  'delete',
  'publish',
  'subscribe',
] as const

/** The same cache, with its failures counted. */
export function observedCache(cache: Cache, metrics: Metrics): Cache {
  const errors = metrics.counter('svc_cache_errors_total', {
    help: 'Commands that the cache could not carry out.',
    labels: ['operation'],
  })
  const counted = asked.map((operation) => {
    const run = cache[operation] as (...given: unknown[]) => Promise<unknown>
    const watched = (...given: unknown[]) => {
      const answer = run(...given)
      answer.catch(() => errors.add({ operation }))
      return answer
    }
    return [operation, watched]
  })
  return Object.assign(Object.create(cache), Object.fromEntries(counted))
}
