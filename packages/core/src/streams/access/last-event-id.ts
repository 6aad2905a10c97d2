import type { IncomingMessage } from 'node:http'
import { parseQuery } from '../../request/request.ts'

/**
 * How far a client has got that comes back. In the query where it cannot set the header: a browser's WebSocket, and an
 * EventSource that is made again. One that comes back by itself has the old query still, and the header is newer.
 */
export function lastEventId({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>) {
  const [id] = [headers['last-event-id'] || (parseQuery(url).lastEventId ?? [])].flat()
  return id
}
