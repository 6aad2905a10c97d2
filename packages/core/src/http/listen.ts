import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import { BadRequestError, HeadersTooLargeError, RequestTimeoutError } from '../errors/contract.ts'
import { refusal } from '../request/client.ts'
import { newRequestId } from '../request/request.ts'
import { takeConnections } from './handed-connections.ts'
import { refuseOnSocket } from './refuse-on-socket.ts'
import { noteAnswers, ownAnswers } from './shutdown.ts'

// Node, nginx and the cloud balancers all allow 16 KiB. It also limits what parsing a header can
// cost.
const headerBytes = 16_384

export type Dispatch = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** An open port: the server of Node, and its address. */
export interface Listening {
  http: Server
  url: string
}

export type Upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void

interface Place {
  port: number
  /** Every address of the machine unless set. */
  host?: string | undefined
  limits: { readonly requestMillis: number; readonly handlerMillis: number }
  /** Handles requests for a WebSocket. Without it, they are ordinary requests. */
  upgrade?: Upgrade | undefined
  /** Another process has the port, and hands over its connections. */
  handed?: boolean
  /** The names of the settings for port and host, for messages. */
  setBy?: { port: string; host: string }
}

// Answers a client that asks for another protocol, such as h2c, in HTTP/1.1. Older versions of Node
// ignore this option.
const forWebSockets = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket',
} as ServerOptions

/**
 * Opens the port. A client whose request can't be parsed still gets an answer in the documented
 * shape.
 */
export async function listen(
  dispatch: Dispatch,
  { port, host, limits, upgrade, handed = false, setBy = variables }: Place,
): Promise<Listening> {
  const { requestMillis, handlerMillis } = limits
  // Without a host, Node takes `::`, or `0.0.0.0` on a machine without IPv6.
  const wanted = host === '::' ? undefined : host
  const answers = ownAnswers()
  const http = createServer(
    {
      ServerResponse: answers,
      maxHeaderSize: headerBytes,
      headersTimeout: Math.min(10_000, requestMillis),
      requestTimeout: requestMillis,
      connectionsCheckingInterval: Math.min(1_000, requestMillis / 2),
      keepAliveTimeout: 65_000,
      // A missing Host is refused by the dispatch, in the documented shape.
      requireHostHeader: false,
      ...(upgrade && forWebSockets),
    },
    (incoming, outgoing) => {
      // A client that doesn't read its answer keeps it in memory. A handler may be silent for as
      // long as its own limit. The server's own `timeout` would do the same, but leaves a timer on
      // each open WebSocket.
      incoming.socket.setTimeout(handlerMillis * 1.5)
      dispatch(incoming, outgoing)
    },
  )
  noteAnswers(http, answers)
  http.on('clientError', answerBrokenRequest)
  if (upgrade) http.on('upgrade', afterAnswers(upgrade))
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => reject(listenFailure(error, { port, host, setBy })))
    // Without a port, Node neither limits connections nor closes them.
    http.listen(handed ? { port: 0, host: '127.0.0.1' } : { port, host: wanted }, resolve)
  })
  if (handed) takeConnections(http)
  const { port: opened } = http.address() as AddressInfo
  return { http, url: `http://${urlHost(host)}:${handed ? port : opened}` }
}

/** An address of IPv6 has brackets in a URL, and no zone: `fe80::1%eth0` names an interface of this machine. */
function urlHost(host = 'localhost') {
  return isIPv6(host) ? `[${host.replace(/%.*$/, '')}]` : host
}

const variables = { port: 'SVC_PORT', host: 'SVC_HOST' }

type Wanted = Required<Pick<Place, 'port' | 'host' | 'setBy'>>

function listenFailure(error: NodeJS.ErrnoException, { port, host, setBy }: Wanted) {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} is in use. Stop the process that listens there, or set ${setBy.port} to another port.`,
    )
  }
  if (error.code === 'EACCES') {
    return new Error(
      `Port ${port} needs more rights than this process has. Set ${setBy.port} above 1023.`,
    )
  }
  return new Error(
    `Cannot listen on ${urlHost(host)}:${port} (${error.code}). Check ${setBy.host}.`,
  )
}

/**
 * Node's own name for the answer that is being written to a socket. Its default for `clientError`
 * reads it too.
 */
type Underway = Duplex & { _httpMessage?: ServerResponse | null }

/**
 * The answer to an earlier request would get between the frames, so its connection can only be cut
 * off.
 */
function afterAnswers(upgrade: Upgrade): Upgrade {
  return (incoming, socket: Underway, head) =>
    socket._httpMessage ? void socket.destroy() : upgrade(incoming, socket, head)
}

/** The parser gave up: there is no request to answer, but only a socket to write to. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Underway) {
  // If an answer to an earlier request has begun, it can only be cut off: this text would become a
  // part of it.
  const underway = socket._httpMessage?.headersSent
  if (error.code === 'ECONNRESET' || !socket.writable || underway) return socket.destroy()
  const requestId = newRequestId()
  const answer = refusal(brokenRequest(error.code), { requestId })
  return refuseOnSocket(socket, answer, { 'x-request-id': requestId })
}

function brokenRequest(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new RequestTimeoutError()
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HeadersTooLargeError({ message: `The headers are over ${headerBytes} bytes.` })
  }
  return new BadRequestError({ message: 'The request is not valid HTTP.' })
}
