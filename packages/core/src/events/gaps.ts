import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import { linkOf } from './cache-link.ts'

type Handler = () => void

interface Given {
  readonly cache: Pick<Cache, 'publish' | 'subscribe' | 'isListening' | 'onInterruption'>
  readonly channelPrefix: string
}

/** The pause before a failed message is sent again. */
const retryMillis = 250

/** The pause before a failed subscription is tried again. */
const subscribeMillis = 10_000

/**
 * After an outage, instances come back within a second of one another. Their streams are told once.
 */
const calmMillis = 1000

/** If outages follow one another without a calm, streams are told by then, and again later. */
const longestMillis = 5000

/**
 * Knows when events from a cache may be missing: the link of this server was down, or another
 * instance could not publish and has said so since. It reports that when events arrive again, so
 * that reading then misses nothing.
 */
export class Gaps {
  readonly #cache: Given['cache']
  readonly #channel: string
  /** Distinguishes this server's messages from those of others. */
  readonly #self = randomUUID()
  readonly #handlers = new Set<{ readonly handler: Handler }>()
  readonly #leave: (() => unknown)[]
  /** An emission may discover the outage. Nothing here belongs to it, nor to its transaction. */
  readonly #apart = AsyncLocalStorage.snapshot()
  /** How many emissions did not reach the other instances, which have not been told yet. */
  #unsaid = 0
  #saying: NodeJS.Timeout | undefined
  #opening: Promise<void> | undefined
  #reopening: NodeJS.Timeout | undefined
  #telling: NodeJS.Timeout | undefined
  #heardAt: number | undefined
  #isClosed = false

  constructor({ cache, channelPrefix }: Given) {
    this.#cache = cache
    // No event has this name. A Redis user with access to the events' channels has access to this
    // one.
    this.#channel = `${channelPrefix}~gap`
    this.#leave = [
      cache.onInterruption(() => this.#linkIsBack()),
      linkOf(cache).onMissed(() => this.#apart(() => this.#miss())),
    ]
  }

  /** Calls the handler when this server's streams may have missed events. */
  subscribe(handler: Handler) {
    const entry = { handler }
    this.#handlers.add(entry)
    this.#opening ??= this.#open(false)
    return () => void this.#handlers.delete(entry)
  }

  /** Resolves when messages of other instances arrive, if a subscriber here needs them. */
  async opened() {
    await this.#opening
  }

  /** An event did not arrive on this server for a while, and now it does. */
  heardAgain() {
    this.#hear()
    linkOf(this.#cache).missed()
  }

  async close() {
    this.#isClosed = true
    for (const timer of [this.#saying, this.#reopening, this.#telling]) clearTimeout(timer)
    if (this.#unsaid > 0) await this.#publish()
    for (const leave of this.#leave) await leave()
  }

  async #open(isLate: boolean) {
    try {
      const hear = (message: string) => message !== this.#self && this.#hear()
      const leave = await this.#cache.subscribe(this.#channel, hear)
      if (this.#isClosed) await leave()
      else this.#leave.push(() => leave().catch(() => {}))
      if (isLate) this.#hear()
    } catch {
      if (!this.#isClosed) this.#openLater()
    }
  }

  #openLater() {
    this.#reopening = setTimeout(() => void this.#open(true), subscribeMillis).unref()
  }

  #linkIsBack() {
    // The reason for which it had opened is over.
    linkOf(this.#cache).breaker.retryNow()
    this.#hear()
  }

  #hear() {
    if (this.#isClosed || this.#handlers.size === 0) return
    const now = performance.now()
    this.#heardAt ??= now
    clearTimeout(this.#telling)
    const millis = Math.min(calmMillis, this.#heardAt + longestMillis - now)
    this.#telling = setTimeout(() => this.#tell(), millis).unref()
  }

  #tell() {
    this.#heardAt = undefined
    // It reports when the link is back: until then, more may be missed.
    if (!this.#cache.isListening) return
    for (const { handler } of this.#handlers) handler()
  }

  #miss() {
    if (this.#isClosed) return
    this.#unsaid += 1
    this.#saying ??= setTimeout(() => void this.#say(), retryMillis).unref()
  }

  /**
   * Tells the others when they can be reached again, and again if they have missed more meanwhile.
   */
  async #say() {
    const { breaker } = linkOf(this.#cache)
    const attempt = breaker.attempt()
    const unsaid = this.#unsaid
    // A failure of this message is not counted: it would keep emissions in this process for no
    // other reason.
    if (attempt !== null && (await this.#publish())) {
      breaker.succeeded(attempt)
      this.#unsaid -= unsaid
    }
    this.#saying = undefined
    if (this.#isClosed || this.#unsaid === 0) return
    this.#saying = setTimeout(() => void this.#say(), retryMillis).unref()
  }

  #publish() {
    return this.#cache.publish(this.#channel, this.#self).then(
      () => true,
      () => false,
    )
  }
}
