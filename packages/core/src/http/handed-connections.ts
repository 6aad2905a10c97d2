import type { Server } from 'node:http'
import { Socket } from 'node:net'

/** What `svc dev` sends with each connection that it hands to the process of the server. */
export const connectionMessage = 'svc connection'

/** The reply of the process when it accepts them. */
export const takingMessage = 'svc takes connections'

/**
 * Whether there is a process that could hand over connections: a child of this one inherits its
 * variables, but no channel.
 */
export function areHanded({ SVC_LISTEN }: { SVC_LISTEN: 'port' | 'handed' }) {
  return SVC_LISTEN === 'handed' && process.connected
}

/**
 * Serves the connections that another process has accepted. That process keeps the port while this
 * one restarts, so that requests wait. And a connection has the address of its client, which a
 * proxy in between would hide.
 */
export function takeConnections(http: Server) {
  process.on('message', (message, socket) => {
    // If the client is gone, the message comes without a socket.
    if (message !== connectionMessage || !(socket instanceof Socket)) return
    http.emit('connection', socket)
    socket.resume()
  })
  // Without the port, this process is useless.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.send?.(takingMessage)
}
