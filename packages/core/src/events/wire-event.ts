import type { EmittedEvent, Emitter, Wire } from './emitter.ts'
import { readEventEnv } from './env.ts'
import type { EventCache } from './event-cache.ts'

/**
 * Puts a cache between the emissions of an event and its handlers. The place is reserved at once.
 */
export async function wireEvent(event: EmittedEvent, cache: EventCache, channelPrefix?: string) {
  const opening = openWire(event, { cache, channelPrefix })
  const placed = opening.catch(() => null)
  event['~wire'] = placed
  const wire = await opening.catch((error: unknown) => {
    if (event['~wire'] === placed) event['~wire'] = undefined
    throw error
  })
  event['~wire'] = wire
  return wire
}

interface Given {
  cache: EventCache
  channelPrefix?: string | undefined
  /** The server whose handlers get the messages; those of all servers unless set. */
  server?: Emitter
}

/** Loaded with the first cache: browsers define events, but have none. */
export async function openWire(
  event: EmittedEvent,
  { channelPrefix = readEventEnv().SVC_SSE_CHANNEL_PREFIX, ...given }: Given,
): Promise<Wire> {
  const { Broadcast } = await import('./broadcast.ts')
  const broadcast = new Broadcast(event, { ...given, channel: `${channelPrefix}${event.name}` })
  await broadcast.open()
  return broadcast
}
