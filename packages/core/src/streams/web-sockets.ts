import type { IncomingMessage } from 'node:http'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { NotFoundError } from '../errors/errors.ts'
import type { WebSocketRouter } from '../events/web-socket-router.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { requestIdOf } from '../request/request-id.ts'
import { answerError } from '../server/answer-error.ts'
import type { Upgrade } from '../server/listen.ts'
import { refuseOnSocket } from '../server/refuse-on-socket.ts'
import { ClientSocket } from './client-socket.ts'
import { presentedTokens, refuseForeignOrigin, refuseUnusable, subprotocol } from './handshake.ts'
import type { RouterStreams } from './router-streams.ts'
import { jsonFrame, socketForm } from './socket-frames.ts'
import { bindMessages } from './socket-messages.ts'
import { createPlaces } from './socket-places.ts'
import { SocketStream } from './socket-stream.ts'
import type { WebSocketOptions } from './stream-options.ts'

export interface WebSocketsGiven {
  readonly server: Infrastructure
  readonly streams: RouterStreams
  readonly router: WebSocketRouter
  readonly options: WebSocketOptions
  readonly path: string
  /** Pages that may connect. */
  readonly origins: readonly string[]
}

// Whoever does not answer a close frame is cut off, so that a shutdown need not wait for it.
const closeMillis = 2000

/** What takes the upgrades of a server to its event streams. */
export function openWebSockets(given: WebSocketsGiven): Upgrade {
  const { server, streams, router, options } = given
  const maxBufferedBytes = options.maxBufferedBytes ?? 1_048_576
  const places = createPlaces(options)
  const receive = receiver(router, server.log)
  const accept = acceptor(options)

  async function open(...[incoming, socket, head]: Parameters<Upgrade>) {
    refuseOther(incoming, given)
    const close = async (reason: string) =>
      (await accept(incoming, socket, head)).close(1013, reason)
    if (!places.take()) return close('too many connections')
    const stream = new SocketStream(streams, socket, maxBufferedBytes)
    socket.once('close', () => {
      stream.end('left')
      places.leave(stream)
    })
    const names = await streams.admit(stream, {
      target: incoming.url ?? '/',
      tokens: presentedTokens(incoming),
      initial: router.eventNames,
    })
    if (!places.takeFor(stream)) {
      stream.end('left')
      return close('too many connections of this subject')
    }
    const ws = await accept(incoming, socket, head)
    ws.stream = stream
    stream.accept(ws)
    ws.on('message', receive).on('pong', onPong)
    const timestamp = server.clock.now().toISOString()
    stream.write(jsonFrame('connected', { events: names, timestamp }))
    streams.start(stream, names, socketForm)
  }

  return (incoming, socket, head) => {
    // The library listens from the handshake on; until then nobody does, and an error would end the process.
    socket.on('error', ignore)
    open(incoming, socket, head).catch((error: unknown) => {
      const requestId = requestIdOf(incoming)
      refuseOnSocket(socket, answerError(error, { incoming, requestId, server }), requestId)
    })
  }
}

function refuseOther(incoming: IncomingMessage, { path, origins, server }: WebSocketsGiven) {
  const [asked] = (incoming.url ?? '').split('?')
  if (asked !== path) throw new NotFoundError({ resource: 'Route' })
  refuseUnusable(incoming)
  refuseForeignOrigin(incoming, [...origins, ...server.ownOrigins])
}

/** Ends the handshake with a socket. It never answers when the client has left in the meantime. */
function acceptor({ maxPayload = 1_048_576 }: WebSocketOptions) {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    closeTimeout: closeMillis,
    WebSocket: ClientSocket,
    handleProtocols: (offered: Set<string>) => (offered.has(subprotocol) ? subprotocol : false),
  }
  const handshakes = new WebSocketServer(options)
  return (...[incoming, socket, head]: Parameters<Upgrade>) =>
    new Promise<ClientSocket>((resolve) => {
      handshakes.handleUpgrade(incoming, socket, head, (ws) => {
        ws.on('error', ignore)
        resolve(ws)
      })
    })
}

function receiver(router: WebSocketRouter, log: Infrastructure['log']) {
  const answer = bindMessages(router.messages, log)
  return function onMessage(this: WebSocket, data: RawData, isBinary: boolean) {
    const ws = this as ClientSocket
    if (isBinary) ws.stream?.send('error', { code: 'BadRequestError', message: 'Frames are text.' })
    else ws.receive(data as Buffer, answer)
  }
}

function onPong(this: WebSocket) {
  ;(this as ClientSocket).stream?.answered()
}

/** The library answers a frame that breaks the protocol by closing: 1002, 1007, or 1009 for one that is too large. */
function ignore() {}
