import { moduleOfNode } from '../../node-host.ts'
import type { ApiAnswer, ApiRequest, Sending } from './exchange.ts'
import { sendByFetch } from './send-by-fetch.ts'
import { sendByNode } from './send-by-node.ts'

export { type ApiAnswer, type ApiRequest, LostConnectionError } from './exchange.ts'

/** Sends by Node's own HTTP client, which costs less than half of `fetch`, and by `fetch` on other hosts. */
export function send(request: ApiRequest, sending: Sending): Promise<ApiAnswer> {
  const url = new URL(request.url)
  const client = moduleOfNode(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return client ? sendByNode({ ...request, url, client }, sending) : sendByFetch(request, sending)
}
