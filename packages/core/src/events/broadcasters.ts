import type { EmittedEvent } from './emitter.ts'

/** Broadcasts every event of this process over the cache of a running server. */
export interface Broadcaster {
  readonly channelPrefix: string
  wire(event: EmittedEvent): void
}

/**
 * State of the module, as in `emitter.ts`. The first server that broadcasts does so for the whole process: an event
 * that two of them carried would be delivered twice.
 */
const installed: Broadcaster[] = []
const withSubscribers = new Set<EmittedEvent>()

export function broadcaster(): Broadcaster | undefined {
  return installed[0]
}

/** Answers what takes it out again; the next in line then takes over. */
export function installBroadcaster(added: Broadcaster): () => void {
  installed.push(added)
  if (installed[0] === added) wireAll()
  return () => {
    const at = installed.indexOf(added)
    if (at >= 0) installed.splice(at, 1)
    if (at === 0) wireAll()
  }
}

function wireAll() {
  for (const event of withSubscribers) installed[0]?.wire(event)
}

export function nowHasSubscribers(event: EmittedEvent) {
  withSubscribers.add(event)
  installed[0]?.wire(event)
}

export function hasNoSubscribers(event: EmittedEvent) {
  withSubscribers.delete(event)
}
