import { type Broadcaster, installBroadcaster } from './broadcasters.ts'
import { type EmittedEvent, eventLog, type Wire } from './emitter.ts'
import type { EventCache } from './event-cache.ts'
import { openWire, wireEvent } from './wire-event.ts'

interface Given {
  cache: EventCache
  channelPrefix: string
}

/** How long an event stays in this process when its channel could not be subscribed to. */
const retryMillis = 10_000

/** Broadcasts every event that this process subscribes to or emits. */
export class EventBroadcaster implements Broadcaster {
  readonly channelPrefix: string
  readonly #cache: EventCache
  readonly #wires = new Map<EmittedEvent, Promise<Wire | null>>()
  readonly #retries = new Map<EmittedEvent, ReturnType<typeof setTimeout>>()
  readonly #uninstall: () => void
  #isClosed = false

  constructor({ cache, channelPrefix }: Given) {
    this.#cache = cache
    this.channelPrefix = channelPrefix
    this.#uninstall = installBroadcaster(this)
  }

  wire(event: EmittedEvent) {
    if (event['~wire'] || this.#retries.has(event)) return
    const wire = wireEvent(event, this.#cache, this.channelPrefix)
    this.#wires.set(
      event,
      wire.catch((error: unknown) => this.#keepHere(event, error)),
    )
  }

  /** Resolves when no event of those that there are now waits to be wired. */
  async wired() {
    await Promise.all(this.#wires.values())
  }

  async close() {
    this.#isClosed = true
    for (const retry of this.#retries.values()) clearTimeout(retry)
    const closing = [...this.#wires.keys()].map(unwire)
    this.#wires.clear()
    // Whoever takes over finds every place free.
    this.#uninstall()
    await Promise.all(closing)
  }

  #keepHere(event: EmittedEvent, error: unknown) {
    const facts = { err: error, event: event.name }
    eventLog().error(facts, 'an event cannot be broadcast and stays in this process for now')
    this.#wires.delete(event)
    if (!this.#isClosed) this.#retryLater(event)
    return null
  }

  #retryLater(event: EmittedEvent) {
    const retry = setTimeout(() => void this.#retry(event), retryMillis)
    if (typeof retry === 'object') retry.unref()
    this.#retries.set(event, retry)
  }

  /** Emissions do not wait for it, and so the place is taken only when it has succeeded. */
  async #retry(event: EmittedEvent) {
    try {
      const wire = await openWire(event, this.#cache, this.channelPrefix)
      if (event['~wire'] || this.#isClosed) return await wire.close()
      this.#retries.delete(event)
      event['~wire'] = wire
      this.#wires.set(event, Promise.resolve(wire))
    } catch {
      if (!this.#isClosed) this.#retryLater(event)
    }
  }
}

/** What is still being opened is not waited for: a cache may take for ever. */
async function unwire(event: EmittedEvent) {
  const wire = event['~wire']
  event['~wire'] = undefined
  if (wire instanceof Promise) void wire.then((opened) => opened?.close())
  else await wire?.close()
}
