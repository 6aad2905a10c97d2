import { type CacheLink, linkOf } from './cache-link.ts'
import { deliver, type EmittedEvent, type Emitter, eventLog, type Wire } from './emitter.ts'
import type { EventCache } from './event-cache.ts'
import { LateEchoes } from './late-echoes.ts'
import { messageOf, readMessage } from './message.ts'
import { OwnEmission, OwnEmissions } from './own-emissions.ts'

/**
 * Time is counted in looks. A process that was busy for seconds has had one look, so messages that
 * wait in its sockets are not late.
 */
const lookMillis = 200
const looks = (millis: number) => millis / lookMillis

const publishLooks = looks(5000)
/** An echo leaves the cache together with the answer to its publication. */
const echoLooks = looks(1000)
/**
 * How long an echo may still come after that: for a published message, and for an unknown outcome.
 */
const publishedLooks = looks(3000)
const unknownLooks = looks(10_000)

interface Given {
  cache: EventCache
  channel: string
  /** The server whose handlers get the messages; those of all servers unless set. */
  server?: Emitter | undefined
}

/**
 * Carries one event over a channel. Handlers of this process get an emission when it comes back
 * from the channel, as those of every other process do. If it won't come back, they get it from
 * here.
 */
export class Broadcast implements Wire {
  readonly #event: EmittedEvent
  readonly #cache: EventCache
  readonly #channel: string
  readonly #link: CacheLink
  readonly #server: Emitter | undefined
  readonly #own = new OwnEmissions()
  readonly #late = new LateEchoes()
  #look = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #isClosed = false
  #leave: (() => unknown) | undefined

  constructor(event: EmittedEvent, { cache, channel, server }: Given) {
    this.#event = event
    this.#cache = cache
    this.#channel = channel
    this.#link = linkOf(cache)
    this.#server = server
  }

  async open() {
    const leave = await this.#cache.subscribe(this.#channel, (message) => this.#arrive(message))
    this.#leave = leave ?? undefined
    // Messages that have arrived are read before missing ones are judged.
    this.#timer = setInterval(() => setTimeout(() => this.#lookAround(), 0), lookMillis)
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  send(payload: unknown): Promise<void> | undefined {
    const json = this.#encode(payload)
    if (json === null) return this.#deliverInTurn(payload)
    const attempt = this.#isClosed ? null : this.#link.breaker.attempt()
    if (attempt === null) {
      this.#link.missed()
      return this.#deliverInTurn(JSON.parse(json))
    }
    const observer = this.#server?.observer
    const message = messageOf(json, observer?.traceparent())
    const emission = new OwnEmission(message, { attempt, since: this.#look })
    if (observer) emission.sentAt = performance.now()
    return this.#publish(emission)
  }

  async close() {
    this.#isClosed = true
    clearInterval(this.#timer)
    // From here on, nothing comes back.
    for (let each = this.#own.oldest; each; each = this.#own.oldest) this.#deliverOwn(each)
    for (const each of this.#late.expected) each.settle()
    try {
      await this.#leave?.()
    } catch {
      // The cache may be gone by now.
    }
  }

  /** Null for a payload that isn't JSON. */
  #encode(payload: unknown): string | null {
    try {
      const message = JSON.stringify(payload === undefined ? null : payload) as string | undefined
      if (message !== undefined) return message
      throw new TypeError(`JSON has nothing for a ${typeof payload}.`)
    } catch (error) {
      const facts = { err: error, event: this.#event.name }
      this.#log.error(facts, 'a payload is not JSON: the event was delivered in this process only')
      return null
    }
  }

  #publish(emission: OwnEmission): Promise<void> {
    this.#own.add(emission)
    if (this.#isDeaf) this.#giveUp(emission, deaf())
    void this.#askToPublish(emission)
    return emission.settled
  }

  async #askToPublish(emission: OwnEmission) {
    let reached
    try {
      reached = await this.#cache.publish(this.#channel, emission.message)
    } catch (error) {
      this.#refused(emission, error)
      return
    }
    this.#published(emission, reached)
  }

  // oxlint-disable-next-line typescript/no-invalid-void-type -- what a cache answers
  #published(emission: OwnEmission, reached: number | void) {
    this.#link.breaker.succeeded(emission.attempt)
    emission.isPublished = true
    emission.since = this.#look
    if (reached === 0) this.#giveUp(emission, new Error('No instance got the message.'))
    else if (this.#isDeaf) this.#giveUp(emission, deaf())
    if (reached === 0) this.#late.forget(emission)
    emission.settle()
  }

  #refused(emission: OwnEmission, error: unknown) {
    this.#link.breaker.failed(emission.attempt)
    this.#link.missed()
    this.#giveUp(emission, error)
    emission.settle()
  }

  #arrive(message: string) {
    if (this.#isClosed) return
    // If two emissions have the same text, it does not matter whose echo it is. But one of them
    // still waits to be delivered.
    const own = this.#own.withText(message)
    if (own) this.#deliverEcho(own)
    else if (!this.#late.take(message)) this.#deliverForeign(message)
  }

  #deliverEcho(own: OwnEmission) {
    this.#link.worked(this.#log)
    // Older ones will not come any more: a channel keeps its order.
    this.#deliverOlder(own)
    if (!own.isWaiting) return
    this.#own.remove(own)
    own.settle()
    const { message, sentAt } = own
    if (sentAt !== undefined) {
      this.#server?.observer?.saw({ kind: 'echo', seconds: (performance.now() - sentAt) / 1000 })
    }
    void this.#deliverMessage(readMessage(message))
  }

  #deliverForeign(message: string) {
    let read
    try {
      read = readMessage(message)
    } catch {
      // The parser's message quotes the payload.
      const facts = { event: this.#event.name }
      this.#log.error(facts, 'a message on the channel of an event is not JSON')
      return
    }
    void this.#deliverMessage(read)
  }

  #deliverMessage({ payload, carried }: ReturnType<typeof readMessage>) {
    return deliver(this.#server, this.#event, payload, carried)
  }

  /**
   * If you await each emission, you get them in order: older published ones are delivered first.
   */
  #deliverInTurn(payload: unknown) {
    this.#deliverOlder()
    return deliver(this.#server, this.#event, payload)
  }

  #giveUp(emission: OwnEmission, cause: unknown) {
    if (!emission.isWaiting) return
    this.#link.failed(this.#event.name, { error: cause, log: this.#log })
    this.#deliverOlder(emission)
    if (emission.isWaiting) this.#deliverOwn(emission)
  }

  #deliverOlder(than?: OwnEmission) {
    let each = this.#own.oldest
    while (each && each !== than) {
      if (each.isPublished) this.#deliverOwn(each)
      // A handler may have emitted, and so changed the list.
      each = each.isWaiting ? each.after : this.#own.oldest
      if (than && !than.isWaiting) return
    }
  }

  #deliverOwn(emission: OwnEmission) {
    this.#own.remove(emission)
    emission.since = this.#look
    this.#late.expect(emission)
    emission.handled = this.#deliverMessage(readMessage(emission.message))
  }

  #lookAround() {
    if (this.#isClosed) return
    this.#look += 1
    const due: OwnEmission[] = []
    for (let each = this.#own.oldest; each; each = each.after) if (this.#isDue(each)) due.push(each)
    for (const each of due) this.#end(each)
    for (const each of this.#late.expected) this.#forgetInTime(each)
  }

  #isDue({ isPublished, since }: OwnEmission) {
    if (isPublished) return this.#isDeaf || this.#look - since >= echoLooks
    return this.#look - since >= publishLooks
  }

  #end(emission: OwnEmission) {
    if (!emission.isPublished) this.#timedOut(emission)
    this.#giveUp(emission, new Error('The message did not come back in time.'))
    emission.settle()
  }

  #timedOut({ attempt }: OwnEmission) {
    this.#link.breaker.timedOut(attempt)
    this.#link.missed()
  }

  #forgetInTime(emission: OwnEmission) {
    const age = this.#look - emission.since
    if (!emission.isSettled && age >= publishLooks) {
      this.#timedOut(emission)
      emission.settle()
    }
    if (age >= (emission.isPublished ? publishedLooks : unknownLooks)) this.#late.forget(emission)
  }

  get #log() {
    return this.#server?.log ?? eventLog()
  }

  get #isDeaf() {
    return this.#cache.isListening === false
  }
}

function deaf() {
  return new Error('The connection on which messages arrive is down.')
}
