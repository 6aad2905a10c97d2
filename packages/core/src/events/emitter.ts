import type { Carried, Observer } from '../observation/observation.ts'
import type { AnySchema } from '../schema/schema.ts'

export interface EmitOptions {
  /** Delivers at once, even if the open transaction is rolled back later. */
  now?: boolean
}

/** A job that runs for every emission of an event. */
export interface EventJob {
  /** Whether this server runs it. */
  '~isOf'(server: Emitter): boolean
  /** Writes the job's row, in the open transaction if there is one. */
  '~enqueue'(payload: unknown): Promise<void>
}

/**
 * Carries an event from an emission to the handlers, if a cache passes it on to other instances.
 */
export interface Wire {
  /** Resolves when the emission is published, or was delivered in this process instead. */
  send(payload: unknown): Promise<void> | undefined
  close(): Promise<void>
}

export type Wiring = Wire | Promise<Wire | null>

/** What an emission needs to know about its event. */
export interface EmittedEvent {
  readonly name: string
  readonly schema: AnySchema | undefined
  readonly '~jobs': ReadonlySet<EventJob>
  /**
   * The application's own. While it is being wired, a promise, which resolves to null if that
   * fails.
   */
  '~wire': Wiring | undefined
  /** Whether handlers or jobs of this server wait for it. */
  '~isOf'(server: Emitter): boolean
  /** Whether there are handlers that it delivers to. */
  '~concerns'(server: Emitter): boolean
  '~deliver'(
    payload: unknown,
    report: (error: unknown) => void,
    server?: Emitter,
  ): Promise<void> | undefined
}

/** Passes an emission to the handlers of this process. */
export type HandBack = (event: EmittedEvent, payload: unknown, carried: Carried) => void

/** Stores the emissions of some events, so that a stream that reconnects misses none. */
export interface EventRecorder {
  keeps(event: EmittedEvent): boolean
  /**
   * Resolves when the emission is stored, or will be when the transaction commits that is open at
   * this call. The payload may be a promise; if it fails, nothing is stored.
   */
  record(event: EmittedEvent, payload: unknown): Promise<void>
  /** The wire that carries the event to the handlers of every instance, if it isn't the cache. */
  wireOf(event: EmittedEvent): Wire | undefined
  /** Called once, with the function that takes what the wire carries. */
  handBackTo(hand: HandBack): void
}

type Write = (facts: object | string, message?: string) => void

export interface EventLog {
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

type Emit = (event: EmittedEvent, payload: unknown, options: EmitOptions) => Promise<void>

/** The part of a running server that is about events. */
export interface Emitter {
  readonly emit: Emit
  readonly log: EventLog
  readonly observer?: Observer | undefined
  /** Distinguishes two instances of one application from two applications. */
  readonly databaseUrl?: string | undefined
  /** Whether the event is one of its streams with a history. */
  readonly keeps?: (event: EmittedEvent) => boolean
  /** The wire that carries the event to other instances. */
  readonly wireOf?: (event: EmittedEvent) => Wiring | undefined
  /** The subjects that follow the channel of a resource, if its streams tell that. */
  readonly present?: ((channel: string, id: string) => Promise<string[]>) | undefined
  /** The server that this request, job or start belongs to. */
  readonly context?: () => Emitter | undefined
  /** Whether the open transaction is on its database. */
  readonly hasTransaction?: () => boolean
  /** Runs a function as a part of this server. */
  readonly within?: <Result>(run: () => Result) => Result
}

/** Before a server runs, as in a unit test or a browser. */
const local: Emitter = {
  emit: async (event, payload) => hand(local, event, payload),
  log: {
    info: () => {},
    warn: (facts, message) => console.warn(message, facts),
    error: (facts, message) => console.error(message, facts),
  },
}

/**
 * Browsers import the file that defines an event, for its types and its name. So it can't import
 * what makes an emission reliable: the validator, the open transaction, the queues, the log. The
 * servers of this process register those here. It is only a list: the context of an emission says
 * which server emits.
 */
const running: Emitter[] = []

/** Returns a function that removes it again. */
export function installEmitter(added: Emitter): () => void {
  running.push(added)
  return () => {
    const at = running.indexOf(added)
    if (at >= 0) running.splice(at, 1)
  }
}

/**
 * The server that this code belongs to, or whose transaction is open; undefined if there is none.
 */
export function currentServer(): Emitter | undefined {
  return running[0]?.context?.() ?? running.find((each) => each.hasTransaction?.())
}

/**
 * Whether all of them are instances of one application, by their database. Then it does not matter
 * which one is meant.
 */
export function isOneApplication(servers: readonly (Emitter | undefined)[]) {
  const [first, ...others] = new Set(servers)
  const url = first?.databaseUrl
  return others.every((each) => url !== undefined && each?.databaseUrl === url)
}

/**
 * The server that emits an event: the one that this code belongs to, or the only one that can be
 * meant.
 */
export function serverOf(event: EmittedEvent): Emitter {
  const server = currentServer()
  if (server) return server
  const own = running.filter((each) => event['~isOf'](each) || each.keeps?.(event))
  const meant = own.length > 0 ? own : running
  if (isOneApplication(meant)) return meant.at(-1) ?? local
  throw new Error(
    `${running.length} servers run in this process, and it is not clear which emits event ${event.name}. Emit it in a request, a job or a transaction of that server, or in its within().`,
  )
}

/** The log for messages that concern no particular server. */
export function eventLog(): EventLog {
  return (currentServer() ?? running.at(-1) ?? local).log
}

/**
 * Calls the handlers of this process that belong to the server or to none. Undefined if there is
 * nothing to wait for.
 */
export function deliver(
  server: Emitter | undefined,
  event: EmittedEvent,
  payload: unknown,
  carried?: Carried,
): Promise<void> | undefined {
  const { observer, log = eventLog() } = server ?? {}
  const { name } = event
  const report = (error: unknown) => {
    log.error({ err: error, event: name }, 'an event handler failed')
    observer?.saw({ kind: 'handler failure', event: name, error })
  }
  const call = () => event['~deliver'](payload, report, server)
  const run = server?.within ? () => server.within?.(call) : call
  return observer ? observer.around({ kind: 'deliver', name, carried }, run) : run()
}

/** Passes it to the handlers: through the cache if there is one, otherwise directly. */
export function hand(
  server: Emitter,
  event: EmittedEvent,
  payload: unknown,
): Promise<void> | undefined {
  const wire = event['~wire'] ?? server.wireOf?.(event)
  if (!wire) return deliver(server, event, payload)
  return wire instanceof Promise
    ? handLater(wire, () => deliver(server, event, payload), payload)
    : wire.send(payload)
}

async function handLater(
  wiring: Promise<Wire | null>,
  deliverHere: () => Promise<void> | undefined,
  payload: unknown,
) {
  const wire = await wiring
  await (wire ? wire.send(payload) : deliverHere())
}
