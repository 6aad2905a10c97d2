import type { Server } from 'node:http'
import { Socket } from 'node:net'

/** What `svc dev` sends with each connection that it hands to the process of the server. */
export const connectionMessage = 'svc connection'

/** What the process answers when it takes them. */
export const takingMessage = 'svc takes connections'

/** Whether there is a process that could hand any: what this one starts inherits its variables, but no channel. */
export function areHanded({ SVC_LISTEN }: { SVC_LISTEN: 'port' | 'handed' }) {
  return SVC_LISTEN === 'handed' && process.connected
}

/**
 * Serves the connections that another process has accepted. That one holds the port while this one is started again,
 * so that requests wait; and a connection has the address of its client, which a proxy between would hide.
 */
export function takeConnections(http: Server) {
  process.on('message', (message, socket) => {
    // A client that has gone meanwhile leaves the message alone.
    if (message !== connectionMessage || !(socket instanceof Socket)) return
    http.emit('connection', socket)
    socket.resume()
  })
  // Without the port this process is of no use.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.send?.(takingMessage)
}
