import type { Carried, Observer } from '../observation/observer.ts'
import type { AnySchema } from '../schema/schema.ts'

export interface EmitOptions {
  /** Delivers at once, whatever becomes of the open transaction. */
  now?: boolean
}

/** A job that runs for every emission of an event. */
export interface EventJob {
  /** Writes the job's row, in the open transaction if there is one. */
  '~enqueue'(payload: unknown): Promise<void>
}

/** What stands between an emission and the handlers where a cache carries the event to other instances. */
export interface Wire {
  /** Resolves when the emission is published, or was delivered in this process instead. */
  send(payload: unknown): Promise<void> | undefined
  close(): Promise<void>
}

/** What an emission needs to know of its event. */
export interface EmittedEvent {
  readonly name: string
  readonly schema: AnySchema | undefined
  readonly '~jobs': ReadonlySet<EventJob>
  /** A promise while it is being wired, of null when that fails. */
  '~wire': Wire | Promise<Wire | null> | undefined
  '~deliver'(payload: unknown, report: (error: unknown) => void): Promise<void> | undefined
}

type Write = (facts: object | string, message?: string) => void

export interface EventLog {
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

type Emit = (event: EmittedEvent, payload: unknown, options: EmitOptions) => Promise<void>

export interface Emitter {
  readonly emit: Emit
  readonly log: EventLog
  readonly observer?: Observer | undefined
}

/** Before a server runs, as in a unit test or a browser. */
const local: Emitter = {
  emit: async (event, payload) => hand(event, payload),
  log: {
    info: () => {},
    warn: (facts, message) => console.warn(message, facts),
    error: (facts, message) => console.error(message, facts),
  },
}

/**
 * An event is defined in a file that browsers import too, for its types and its name, so it cannot import what makes
 * an emission reliable: the validator, the open transaction, the queues, the log. Those are handed in here by the
 * server as it starts. The state belongs to the module because events do: `emit` is called on a value that the
 * application imported, with no server in reach. The server that started last emits; a process has one, tests may
 * have several.
 */
const installed: Emitter[] = []

/** Answers what takes it out again. */
export function installEmitter(added: Emitter): () => void {
  installed.push(added)
  return () => {
    const at = installed.indexOf(added)
    if (at >= 0) installed.splice(at, 1)
  }
}

function current() {
  return installed.at(-1) ?? local
}

export function emitter(): Emit {
  return current().emit
}

export function eventLog(): EventLog {
  return current().log
}

export function eventObserver(): Observer | undefined {
  return current().observer
}

/** Calls the handlers of this process; undefined when none of them left anything to wait for. */
export function deliver(
  event: EmittedEvent,
  payload: unknown,
  carried?: Carried,
): Promise<void> | undefined {
  const observer = eventObserver()
  const { name } = event
  const report = (error: unknown) => {
    eventLog().error({ err: error, event: name }, 'an event handler failed')
    observer?.saw({ kind: 'handler failure', event: name, error })
  }
  if (!observer) return event['~deliver'](payload, report)
  const step = { kind: 'deliver', name, carried } as const
  return observer.around(step, () => event['~deliver'](payload, report))
}

/** To the handlers: through the cache where there is one, and otherwise straight. */
export function hand(event: EmittedEvent, payload: unknown): Promise<void> | undefined {
  const wire = event['~wire']
  if (!wire) return deliver(event, payload)
  return wire instanceof Promise ? handLater(wire, event, payload) : wire.send(payload)
}

async function handLater(wiring: Promise<Wire | null>, event: EmittedEvent, payload: unknown) {
  const wire = await wiring
  await (wire ? wire.send(payload) : deliver(event, payload))
}
