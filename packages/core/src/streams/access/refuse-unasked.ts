import { type EventRouter, isChannel } from '../../events/contract.ts'
import type { StreamAuthOptions } from './stream-options.ts'
import { type StreamSettings, socketAuth, streamAuth } from './stream-settings.ts'

/** Refuses to boot with rules that seem to apply to WebSockets, but would not be asked. */
export function refuseUnasked(settings: StreamSettings) {
  const { events, websockets } = settings
  const [auth, own] = [streamAuth(settings), socketAuth(settings)]
  if (!auth) refuseUnknown('events', events?.router)
  else refuseOpenChannels('events', events?.router, auth)
  if (!own) refuseUnknown('websockets', websockets?.router)
  else refuseOpenChannels('websockets', websockets?.router, own)
  if (!events || !websockets || !auth || !own) return
  if (auth === own) refuseOtherNames(events.router, websockets.router, auth)
  else refuseOtherTokens(auth, own)
}

/** Refuses options that need the subject of a stream, if streams have none. */
function refuseUnknown(method: string, router: EventRouter | undefined) {
  refuseAddressed(method, router)
  refusePresence(method, router)
}

/** Streams without a subject can't say which subjects follow a channel. */
function refusePresence(method: string, router: EventRouter | undefined) {
  const [name] = Object.keys(router?.['~presence'] ?? {})
  if (name === undefined) return
  throw new TypeError(
    `The channel "${name}" shows who follows it, but these streams do not know their users: set auth: { enabled: true } in .${method}(…).`,
  )
}

/** If streams have no subject, none would get such an event. */
function refuseAddressed(method: string, router: EventRouter | undefined) {
  const found = Object.entries(router?.events ?? {}).find(([, event]) => event['~recipients'])
  if (!found) return
  throw new TypeError(
    `"${found[0]}" has recipients, but these streams do not know their users: set auth: { enabled: true } in .${method}(…).`,
  )
}

/** If streams have a subject, a channel must say which subjects may follow it. */
function refuseOpenChannels(
  method: string,
  router: EventRouter | undefined,
  { channels = {} }: StreamAuthOptions,
) {
  const found = Object.entries(router?.events ?? {}).find(
    ([name, event]) => isChannel(event) && !Object.hasOwn(channels, name),
  )
  if (!found) return
  throw new TypeError(
    `No rule says who may follow the channel "${found[0]}": add it to auth.channels in .${method}(…), as (subject, id) => boolean.`,
  )
}

/**
 * Rules use the router's names: an event with another name in the other router would go to every
 * stream.
 */
function refuseOtherNames(streams: EventRouter, sockets: EventRouter, auth: StreamAuthOptions) {
  const ruled = { ...auth.filter, ...auth.recipients }
  const names = Object.keys(streams.events).filter((name) => Object.hasOwn(ruled, name))
  for (const [name, event] of Object.entries(sockets.events)) {
    const other = names.find((each) => streams.events[each] === event)
    if (other === undefined || streams.events[name] === event) continue
    throw new TypeError(
      `"${name}" of the WebSocket is "${other}" of the event stream, so its filter and recipients would be skipped: give both the same name, or give the WebSocket its own auth.`,
    )
  }
}

/** Both kinds of streams share one pool of tokens (E-071). */
function refuseOtherTokens(auth: StreamAuthOptions, own: StreamAuthOptions) {
  const options = ['getSubject', 'store', 'tokenTtl', 'tokenManager'] as const
  const ignored = options.find((each) => own[each] !== undefined && own[each] !== auth[each])
  if (ignored === undefined) return
  throw new TypeError(
    `Event streams and WebSockets share the tokens of .events: remove ${ignored} from the auth of the WebSocket.`,
  )
}
