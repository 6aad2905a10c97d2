import type { Log } from '../observation/observation.ts'

type Handler = () => void

/** Handlers for outages in which messages may have been lost. */
export class Interruptions {
  readonly #handlers = new Set<{ readonly handler: Handler }>()
  readonly #log: Pick<Log, 'error'>

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  add(handler: Handler) {
    // The same function may be added twice, and then is removed twice.
    const entry = { handler }
    this.#handlers.add(entry)
    return () => void this.#handlers.delete(entry)
  }

  tell() {
    for (const { handler } of this.#handlers) {
      try {
        handler()
      } catch (error) {
        this.#log.error({ err: error }, 'a listener for interruptions of the cache failed')
      }
    }
  }
}
