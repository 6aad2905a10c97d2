import { currentServer, type EmittedEvent, type Emitter, type Wiring } from './emitter.ts'

/** Broadcasts the events of one running server over its cache. */
export interface Broadcaster {
  readonly server: Emitter
  readonly channelPrefix: string
  wire(event: EmittedEvent): void
  /** Undefined for an event that it does not carry. */
  wireOf(event: EmittedEvent): Wiring | undefined
}

/** Only lists, as in `emitter.ts`: each server wires the events that concern it. */
const running: Broadcaster[] = []
const withSubscribers = new Set<EmittedEvent>()

/** The prefix of channels, for an event that the application wires: that of the first server. */
export function channelPrefix() {
  const server = currentServer()
  return (running.find((each) => each.server === server) ?? running[0])?.channelPrefix
}

/** The wire that already carries an event for a server. */
export function wireOf(event: EmittedEvent) {
  return running.map((each) => each.wireOf(event)).find((wire) => wire !== undefined)
}

/** Returns a function that removes it again. */
export function installBroadcaster(added: Broadcaster): () => void {
  running.push(added)
  for (const event of withSubscribers) wireFor(added, event)
  return () => {
    const at = running.indexOf(added)
    if (at >= 0) running.splice(at, 1)
  }
}

function wireFor(broadcaster: Broadcaster, event: EmittedEvent) {
  if (event['~concerns'](broadcaster.server)) broadcaster.wire(event)
}

export function hasSubscribers(event: EmittedEvent) {
  withSubscribers.add(event)
  for (const each of running) wireFor(each, event)
}

export function hasNoSubscribers(event: EmittedEvent) {
  withSubscribers.delete(event)
}
