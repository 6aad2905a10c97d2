import type { Cache } from '../cache/cache.ts'
import { type Broadcaster, installBroadcaster } from './broadcasters.ts'
import type { EmittedEvent, Emitter, Wire, Wiring } from './emitter.ts'
import { Gaps } from './gaps.ts'
import { openWire } from './wire-event.ts'

interface Given {
  server: Emitter
  cache: Cache
  channelPrefix: string
  /** Whether something else carries an event to the other instances. */
  isCarried?: (event: EmittedEvent) => boolean
}

/** How long an event stays in this process if its channel could not be subscribed to. */
const retryMillis = 10_000

/** Broadcasts every event that a server subscribes to or emits. */
export class EventBroadcaster implements Broadcaster {
  readonly server: Emitter
  readonly channelPrefix: string
  readonly gaps: Gaps
  readonly #cache: Cache
  readonly #isCarried: (event: EmittedEvent) => boolean
  readonly #wires = new Map<EmittedEvent, Wiring>()
  readonly #retries = new Map<EmittedEvent, ReturnType<typeof setTimeout>>()
  readonly #uninstall: () => void
  #isClosed = false

  constructor({ server, cache, channelPrefix, isCarried = () => false }: Given) {
    this.server = server
    this.#cache = cache
    this.#isCarried = isCarried
    this.channelPrefix = channelPrefix
    this.gaps = new Gaps({ cache, channelPrefix })
    this.#uninstall = installBroadcaster(this)
  }

  wireOf(event: EmittedEvent) {
    return this.#wires.get(event)
  }

  wire(event: EmittedEvent) {
    if (this.#isClosed || event['~wire'] || this.#isCarried(event)) return
    if (this.#wires.has(event) || this.#retries.has(event)) return
    const wiring = this.#open(event).catch((error: unknown) => this.#keepHere(event, error))
    this.#wires.set(event, wiring)
    void this.#place(event, wiring)
  }

  /** Resolves when none of the present events waits to be wired. */
  async wired() {
    for (const wiring of this.#wires.values()) await wiring
    await this.gaps.opened()
  }

  async close() {
    this.#isClosed = true
    this.#uninstall()
    for (const retry of this.#retries.values()) clearTimeout(retry)
    const wires = [...this.#wires.values()]
    this.#wires.clear()
    await Promise.all([...wires.map(closeWire), this.gaps.close()])
  }

  #open(event: EmittedEvent) {
    const { server, channelPrefix } = this
    return openWire(event, { server, cache: this.#cache, channelPrefix })
  }

  async #place(event: EmittedEvent, wiring: Promise<Wire | null>) {
    const wire = await wiring
    // It may have been closed meanwhile.
    if (wire && this.#wires.get(event) === wiring) this.#wires.set(event, wire)
  }

  #keepHere(event: EmittedEvent, error: unknown) {
    const facts = { err: error, event: event.name }
    this.server.log.error(facts, 'an event cannot be broadcast and stays in this process for now')
    this.#wires.delete(event)
    if (!this.#isClosed) this.#retryLater(event)
    return null
  }

  #retryLater(event: EmittedEvent) {
    const retry = setTimeout(() => void this.#retry(event), retryMillis)
    if (typeof retry === 'object') retry.unref()
    this.#retries.set(event, retry)
  }

  /** Emissions do not wait for it, so the wire is set only when it has succeeded. */
  async #retry(event: EmittedEvent) {
    try {
      const wire = await this.#open(event)
      if (event['~wire'] || this.#isClosed) return await wire.close()
      this.#retries.delete(event)
      this.#wires.set(event, wire)
      this.gaps.heardAgain()
    } catch {
      if (!this.#isClosed) this.#retryLater(event)
    }
  }
}

/** A wire that is still being opened is not waited for: a cache may take for ever. */
async function closeWire(wire: Wiring) {
  if (wire instanceof Promise) void wire.then((opened) => opened?.close())
  else await wire.close()
}
