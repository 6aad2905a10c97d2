import type { IncomingMessage } from 'node:http'
import { parseQuery } from '../../request/request.ts'

/**
 * The last id that a reconnecting client has got. It is in the query if the client can't set the
 * header: a browser's WebSocket, and a new EventSource. An EventSource that reconnects by itself
 * still has the old query, so the header is newer.
 */
export function lastEventId({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>) {
  const [id] = [headers['last-event-id'] || (parseQuery(url).lastEventId ?? [])].flat()
  return id
}
