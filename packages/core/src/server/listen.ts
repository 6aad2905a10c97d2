import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { refusal } from '../errors/envelope.ts'
import { BadRequestError, HeadersTooLargeError, RequestTimeoutError } from '../errors/errors.ts'
import { newRequestId } from '../request/request-id.ts'
import type { Limits } from './define-server.ts'
import type { Dispatch } from './dispatch.ts'

// 16 KiB is what Node, nginx and the cloud balancers agree on; it also bounds what a header can cost to parse.
const headerBytes = 16_384

export interface Listening {
  http: Server
  url: string
}

/** Opens the port. A request that is broken before it is one still gets an answer in the documented shape. */
export async function listen(
  dispatch: Dispatch,
  { port, host, limits }: { port: number; host: string; limits: Limits },
): Promise<Listening> {
  const { requestMillis, handlerMillis } = limits
  const http = createServer(
    {
      maxHeaderSize: headerBytes,
      headersTimeout: Math.min(10_000, requestMillis),
      requestTimeout: requestMillis,
      connectionsCheckingInterval: Math.min(1_000, requestMillis / 2),
      keepAliveTimeout: 65_000,
      // A missing Host is refused by the dispatch, in the documented shape.
      requireHostHeader: false,
    },
    dispatch,
  )
  // Who takes nothing of an answer keeps it in memory. A handler may be silent for as long as its own limit.
  http.timeout = handlerMillis * 1.5
  http.on('clientError', answerBrokenRequest)
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => reject(listenFailure(error, port, host)))
    http.listen(port, host, resolve)
  })
  const { port: opened } = http.address() as AddressInfo
  return { http, url: `http://${host}:${opened}` }
}

function listenFailure(error: NodeJS.ErrnoException, port: number, host: string) {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} is in use. Stop what listens there, or set SVC_PORT to another port.`,
    )
  }
  if (error.code === 'EACCES') {
    return new Error(
      `Port ${port} needs more rights than this process has. Set SVC_PORT above 1023.`,
    )
  }
  return new Error(`Cannot listen on ${host}:${port} (${error.code}). Check SVC_HOST.`)
}

/** Node's own name for the answer that is being written to a socket; its default for `clientError` reads it too. */
type Underway = Duplex & { _httpMessage?: ServerResponse | null }

/** The parser gave up: there is no request to answer, only a socket to write to. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Underway) {
  // An answer under way to an earlier request can only be cut off: what is written now would be a part of it.
  const underway = socket._httpMessage?.headersSent
  if (error.code === 'ECONNRESET' || !socket.writable || underway) return socket.destroy()
  const requestId = newRequestId()
  const answer = refusal(brokenRequest(error.code), { requestId })
  const body = answer.encode() ?? ''
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `content-type: ${answer.contentType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  return socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function brokenRequest(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new RequestTimeoutError({ message: 'The request took too long to arrive.' })
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HeadersTooLargeError({ message: `The headers are over ${headerBytes} bytes.` })
  }
  return new BadRequestError({ message: 'The request is not valid HTTP.' })
}
