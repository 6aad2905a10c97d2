import type { ClientRequest, IncomingMessage } from 'node:http'
import { moduleOfNode } from '../../node-host.ts'
import { type ApiAnswer, type ApiRequest, LostConnectionError, type Sending } from './exchange.ts'
import { readAnswer } from './read-answer.ts'
import { requestHeaders } from './request-headers.ts'

interface NodeRequest extends Omit<ApiRequest, 'url'> {
  readonly url: URL
  readonly client: Pick<typeof import('node:http'), 'request'>
}

/** Does what Node's `fetch` does, without its streams and copies. Connections are kept by the process's own agent. */
export async function sendByNode(
  { client, ...request }: NodeRequest,
  { signal, answered }: Sending,
): Promise<ApiAnswer> {
  const { url, method, body } = request
  const outgoing = client.request(url, { method, headers: requestHeaders(request) })
  const answer = answerTo(outgoing, signal)
  if (body instanceof Blob) pour(body, outgoing)
  // With a string body, Node would write the headers in the encoding of the body.
  else outgoing.end(typeof body === 'string' ? Buffer.from(body) : body)
  return readAnswer(await answer, { method, answered })
}

function pour(body: Blob, outgoing: ClientRequest) {
  // The same class under two names.
  const stream = body.stream() as import('node:stream/web').ReadableStream
  moduleOfNode('node:stream')?.Readable.fromWeb(stream).pipe(outgoing)
}

function answerTo(outgoing: ClientRequest, signal: AbortSignal) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const end = () => outgoing.destroy(signal.reason)
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(isLost(outgoing, error) ? lost(error) : error))
    outgoing.on('close', () => {
      signal.removeEventListener('abort', end)
      // What switches to another protocol is neither an answer nor an error.
      reject(new Error('It closed the connection without an answer'))
    })
    limitConnecting(outgoing)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/** Both sides may close a kept connection. A request that is sent at that moment gets no answer. */
function isLost({ reusedSocket }: ClientRequest, { code = '' }: NodeJS.ErrnoException) {
  return reusedSocket && ['ECONNRESET', 'EPIPE'].includes(code)
}

function lost(cause: Error) {
  return new LostConnectionError('It closed a connection that was kept', { cause })
}

// As long as Node's `fetch` waits for a connection.
const connectMillis = 10_000

function limitConnecting(outgoing: ClientRequest) {
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) return
    const late = new Error(`No connection within ${connectMillis} ms`)
    const timer = setTimeout(() => outgoing.destroy(late), connectMillis)
    const clear = () => clearTimeout(timer)
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', clear)
    outgoing.once('close', clear)
  })
}
