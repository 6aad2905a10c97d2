import { CircuitBreaker } from './circuit-breaker.ts'
import type { EventLog } from './emitter.ts'
import type { EventCache } from './event-cache.ts'

/** Failures and echoes may alternate. An outage is over when nothing has failed for this long. */
const calmMillis = 1000

/** The state of a cache that all its events share. */
export class CacheLink {
  readonly breaker = new CircuitBreaker()
  readonly #onMissed = new Set<() => void>()
  #failedAt: number | undefined

  /** Calls the function for each emission that did not reach the other instances. */
  onMissed(hear: () => void) {
    this.#onMissed.add(hear)
    return () => void this.#onMissed.delete(hear)
  }

  missed() {
    for (const hear of this.#onMissed) hear()
  }

  /** Logs once that an outage began, however many emissions it affects. */
  failed(event: string, { error, log }: { error: unknown; log: EventLog }) {
    if (this.#failedAt === undefined) {
      log.warn(
        { err: error, event },
        'events cannot be broadcast: they are delivered in this process',
      )
    }
    this.#failedAt = performance.now()
  }

  worked(log: EventLog) {
    if (this.#failedAt === undefined || performance.now() - this.#failedAt < calmMillis) return
    this.#failedAt = undefined
    log.info('events are broadcast again')
  }
}

const links = new WeakMap<EventCache, CacheLink>()

export function linkOf(cache: EventCache): CacheLink {
  const link = links.get(cache) ?? new CacheLink()
  links.set(cache, link)
  return link
}
