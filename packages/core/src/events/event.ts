import { isThenable } from '../infrastructure/infrastructure.ts'
import type { AnySchema, InputOf, OutputOf } from '../schema/schema.ts'
import { channelPrefix, hasNoSubscribers, hasSubscribers, wireOf } from './broadcasters.ts'
import {
  currentServer,
  type EmitOptions,
  type Emitter,
  type EventJob,
  eventLog,
  serverOf,
  type Wiring,
} from './emitter.ts'
import type { EventCache } from './event-cache.ts'
import { settled } from './settled.ts'
import { wireEvent } from './wire-event.ts'

/**
 * The arguments of `emit`: none for an event without a payload. The first case is a schema that
 * accepts anything.
 */
export type EmitArguments<Given> = unknown extends Given
  ? [payload?: Given, options?: EmitOptions]
  : undefined extends Given
    ? [] | [payload: Given & undefined, options: EmitOptions]
    : [payload: Given, options?: EmitOptions]

/** The properties of an event that are the same on every server. */
interface EventWords<Payload = undefined> {
  /** When it is emitted, for the AsyncAPI document. */
  description?: string
  /**
   * The subjects whose streams get it, such as users' ids. Streams without `auth` then refuse to
   * serve it, and an application can name others in `.events(…, { auth: { recipients } })`.
   */
  recipients?: (payload: Payload) => string | readonly string[]
}

interface Subscription<Payload> {
  readonly handler: (payload: Payload) => unknown
  /** The server that subscribed; undefined for a handler that subscribed outside of all servers. */
  readonly server: Emitter | undefined
  active: boolean
}

// An event of any payload: it is covariant in the handlers' payload and contravariant in that of
// `emit`.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnyEvent = EventDefinition<any, any>

/**
 * An event, by name, with the handlers of this process. It imports nothing that a browser lacks.
 */
export class EventDefinition<Payload = undefined, Given = Payload> {
  /** @internal Never set: carries the payload's type to jobs and stream clients. */
  declare readonly '~payload': Payload
  /** @internal Never set: carries the type of the emitted payload. */
  declare readonly '~given': Given
  readonly name: string
  readonly schema: AnySchema | undefined
  /** @internal When it is emitted, for documents. */
  readonly '~description': string | undefined
  /** @internal The subjects whose streams get it: all unless set. */
  readonly '~recipients': ((payload: Payload) => string | readonly string[]) | undefined
  /** @internal The jobs that a running server has bound to this event. */
  readonly '~jobs' = new Set<EventJob>()
  /** @internal The cache that the application has put between emissions and handlers. */
  '~wire': Wiring | undefined = undefined
  #subscriptions: readonly Subscription<Payload>[] = []

  constructor(
    name: string,
    schema?: AnySchema,
    { description, recipients }: EventWords<Payload> = {},
  ) {
    this.name = name
    this.schema = schema
    this['~description'] = description
    this['~recipients'] = recipients
  }

  /**
   * Calls the handler, which may be async, on every emission. The returned function ends that. A
   * handler that subscribes while a server starts, or in a request or a job, belongs to that
   * server: it gets no emissions of another server in this process.
   */
  subscribe(handler: (payload: Payload) => unknown): () => void {
    const subscription = { handler, server: currentServer(), active: true }
    // A new list, so that a running emission keeps the one that it began with.
    this.#subscriptions = [...this.#subscriptions, subscription]
    hasSubscribers(this)
    return () => {
      subscription.active = false
      this.#keep(this.#subscriptions.filter((each) => each !== subscription))
    }
  }

  unsubscribeAll(): void {
    for (const subscription of this.#subscriptions) subscription.active = false
    this.#keep([])
  }

  /**
   * Broadcasts the event to every instance that does the same. A server with a shared cache does
   * this by itself. Await it before the first emission.
   */
  async useCache(cache: EventCache): Promise<this> {
    const wire = this['~wire'] ?? wireOf(this)
    if (wire) {
      eventLog().warn({ event: this.name }, 'an event is broadcast already: this cache is not used')
      await wire
    } else await wireEvent(this, cache, channelPrefix())
    return this
  }

  /**
   * Resolves when every handler of this process has settled. A failing handler is logged and does
   * not stop the others. With a cache, it resolves when the emission is published: handlers get it
   * as JSON, as those of other instances do. In a transaction, the event waits for the commit, and
   * a rollback drops it: `{ now: true }` opts out.
   */
  async emit(...[payload, options]: EmitArguments<Given>): Promise<void> {
    return serverOf(this).emit(this, payload, options ?? {})
  }

  /** @internal Whether handlers or jobs of this server wait for it. */
  '~isOf'(server: Emitter) {
    const isOf = (each: { server: Emitter | undefined }) => each.server === server
    return this.#subscriptions.some(isOf) || [...this['~jobs']].some((job) => job['~isOf'](server))
  }

  /** @internal Whether there are handlers that this server delivers to. */
  '~concerns'(server: Emitter) {
    return this.#subscriptions.some((each) => !each.server || each.server === server)
  }

  /** @internal Calls the handlers. Undefined if none of them left anything to wait for. */
  '~deliver'(
    payload: Payload,
    report: (error: unknown) => void,
    by?: Emitter,
  ): Promise<void> | undefined {
    // Most handlers are synchronous: a promise for each costs 2.3 µs for ten of them, and this loop 0.13.
    let pending: PromiseLike<unknown>[] | undefined
    for (const { handler, server, active } of this.#subscriptions) {
      if (!active || (by && server && server !== by)) continue
      try {
        const result = handler(payload)
        if (isThenable(result)) (pending ??= []).push(result)
      } catch (error) {
        report(error)
      }
    }
    return pending && settled(pending, report)
  }

  #keep(subscriptions: readonly Subscription<Payload>[]) {
    this.#subscriptions = subscriptions
    if (subscriptions.length === 0) hasNoSubscribers(this)
  }
}

/** Defines an event: `defineEvent('order.shipped', t.Object({ orderId: t.String() }))`. */
export function defineEvent(name: string, schema?: undefined, words?: EventWords): EventDefinition
export function defineEvent<Schema extends AnySchema>(
  name: string,
  schema: Schema,
  words?: EventWords<OutputOf<Schema>>,
): EventDefinition<OutputOf<Schema>, InputOf<Schema>>
// oxlint-disable-next-line typescript/no-explicit-any -- of any payload, as its answer
export function defineEvent(name: string, schema?: AnySchema, words?: EventWords<any>): AnyEvent {
  return new EventDefinition(name, schema, words)
}
