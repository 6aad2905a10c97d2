import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpError, refusal } from '@svc/core/client'

/** Answers and closes the connection. The rest of the request is not read. */
export function sendRefusal(incoming: IncomingMessage, outgoing: ServerResponse, error: HttpError) {
  const { status, headers, type, text } = written(error, incoming)
  outgoing.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  outgoing.end(text)
}

/** One sentence for a user who opens a page; the documented error for all other requests. */
function written(error: HttpError, { headers: { accept = '' } }: IncomingMessage) {
  const requestId = randomUUID()
  const answer = refusal(error, { requestId, accept })
  const headers = { ...answer.headers, 'x-request-id': requestId }
  const isPage = accept.includes('text/html')
  return {
    status: answer.status,
    headers,
    type: isPage ? 'text/plain; charset=utf-8' : answer.contentType,
    text: isPage ? `${error.message}\n` : (answer.encode() ?? ''),
  }
}
