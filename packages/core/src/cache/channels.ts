import type { Log } from '../observation/observation.ts'

type Handler = (message: string) => void

/** The subscribers of this process, by channel. */
export class Channels {
  readonly #handlers = new Map<string, Set<Handler>>()
  readonly #log: Pick<Log, 'error'>

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log
  }

  get names() {
    return [...this.#handlers.keys()]
  }

  count(channel: string) {
    return this.#handlers.get(channel)?.size ?? 0
  }

  /** Returns a function that removes it again, and then says whether it was the channel's last. */
  add(channel: string, handler: Handler) {
    // The same function may subscribe twice, and then unsubscribes twice.
    const entry: Handler = (message) => handler(message)
    const handlers = this.#handlers.get(channel) ?? new Set()
    this.#handlers.set(channel, handlers.add(entry))
    return () => {
      if (!handlers.delete(entry) || handlers.size > 0) return false
      return this.#handlers.delete(channel)
    }
  }

  /** The number of handlers that were called. */
  deliver(channel: string, message: string) {
    const handlers = [...(this.#handlers.get(channel) ?? [])]
    for (const handler of handlers) this.#call(handler, channel, message)
    return handlers.length
  }

  #call(handler: Handler, channel: string, message: string) {
    try {
      handler(message)
    } catch (error) {
      this.#log.error({ err: error, channel }, 'a cache subscriber failed')
    }
  }
}
