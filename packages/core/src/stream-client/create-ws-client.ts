import { planOf, type StreamClientOptions } from './client-options.ts'
import { Connection } from './connection.ts'
import { StreamClient } from './stream-client.ts'
import { placeOf } from './stream-url.ts'
import type { AnyWebSocketRouter, WSClient } from './subscription.ts'
import { webSocketSource } from './web-socket-source.ts'

/** For `createWSClient`: where the WebSocket is, and how to connect to it. */
export interface WSClientOptions extends StreamClientOptions {}

/** Streams a router's events over a WebSocket, and sends its messages. */
export function createWSClient<Router extends AnyWebSocketRouter>(
  options: WSClientOptions = {},
): WSClient<Router> {
  const source = webSocketSource(() => placeOf(options, '/events/ws'))
  const plan = planOf(options, source)
  const client = new StreamClient(
    (events, listener) => new Connection({ ...plan, events }, listener),
  )
  const send = (type: string, data?: unknown) => source.send(JSON.stringify({ type, data }))
  return Object.assign(client, { send })
}
