import { WebSocketServer } from 'ws'
import { subprotocol } from '../../events/contract.ts'
import type { Upgrade } from '../../http/http.ts'
import type { WebSocketOptions } from '../access/stream-options.ts'
import { ClientSocket } from './client-socket.ts'

// A client that does not answer a close frame is cut off, so that a shutdown need not wait for it.
const closeMillis = 2000

/** Completes a handshake. It calls nothing if the client has left in the meantime. */
export function acceptSockets({ maxPayload = 1_048_576 }: Pick<WebSocketOptions, 'maxPayload'>) {
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
  return (handshake: Parameters<Upgrade>, begin: (ws: ClientSocket) => void) =>
    handshakes.handleUpgrade(...handshake, (ws) => {
      ws.on('error', ignore)
      begin(ws)
    })
}

/**
 * The library answers a frame that breaks the protocol by closing: 1002, 1007, or 1009 for a frame
 * that is too large.
 */
function ignore() {}
