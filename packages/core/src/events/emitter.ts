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

/** What an emission needs to know of its event. */
export interface EmittedEvent {
  readonly name: string
  readonly schema: AnySchema | undefined
  readonly '~jobs': ReadonlySet<EventJob>
  '~deliver'(payload: unknown, report: (error: unknown) => void): Promise<void> | undefined
}

type Emitter = (event: EmittedEvent, payload: unknown, options: EmitOptions) => Promise<void>

/**
 * An event is defined in a file that browsers import too, for its types and its name, so it cannot import what makes
 * an emission reliable: the validator, the open transaction, the queues, the log. Those are handed in here by the
 * server as it starts. The state belongs to the module because events do: `emit` is called on a value that the
 * application imported, with no server in reach. The server that started last emits; a process has one, tests may
 * have several.
 */
const installed: Emitter[] = []

/** Answers what takes it out again. */
export function installEmitter(emit: Emitter): () => void {
  installed.push(emit)
  return () => {
    const at = installed.indexOf(emit)
    if (at >= 0) installed.splice(at, 1)
  }
}

export function emitter(): Emitter {
  return installed.at(-1) ?? emitLocally
}

/** Before a server runs, as in a unit test or a browser, the handlers of this process are all there is. */
const emitLocally: Emitter = async (event, payload) => {
  await event['~deliver'](payload, (error) => {
    console.error(`a handler of ${event.name} failed`, error)
  })
}
