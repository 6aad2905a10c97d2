import type { Cache } from '../cache/cache.ts'
import type { Metrics } from '../observation/metrics.ts'

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

/** The same cache, whose failures are counted. */
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
