import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { ServiceUnavailableError } from '@svc/core/client'
import { connectionMessage, refuseOnSocket } from '@svc/core/http'
import { refusal } from '@svc/core/proxy'
import { CommandFailure } from '../failure.ts'

export type HeldPort = Awaited<ReturnType<typeof holdPort>>

/**
 * Keeps a port while the process behind it restarts: new connections wait, and are then handed
 * over.
 */
export async function holdPort(port: number, host: string) {
  const waiting = new Set<Socket>()
  let serve = wait

  function wait(socket: Socket) {
    waiting.add(socket)
  }
  function serveBy(next: typeof serve) {
    serve = next
    const all = [...waiting]
    waiting.clear()
    for (const socket of all) serve(socket)
  }

  // Paused, so that the process that takes the connection reads the client's data.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    // If a client gives up, that is not our failure.
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(cannotListen(message)))
    // As @svc/core does: without a host, it is `0.0.0.0` on a machine without IPv6.
    server.listen({ port, host: host === '::' ? undefined : host }, resolve)
  })
  return {
    /** Hands every connection to a process, waiting ones first. */
    handTo: (child: ChildProcess) =>
      serveBy((socket) => {
        if (!child.connected) return wait(socket)
        child.send(connectionMessage, socket, (error) => error && wait(socket))
      }),
    /** From now on, connections wait. */
    hold: () => serveBy(wait),
    /** Refuses connections: without an answer, a page would load until it gives up. */
    refuse: () => serveBy(refuse),
    close() {
      server.close()
      serveBy((socket) => void socket.destroy())
    },
  }
}

function refuse(socket: Socket) {
  socket.resume()
  const error = new ServiceUnavailableError({
    message: 'The API did not start. Its output is in the terminal of "svc dev".',
    retryAfter: 1,
  })
  refuseOnSocket(socket, refusal(error, { requestId: randomUUID() }), {})
}

function cannotListen(reason: string) {
  return new CommandFailure(`The API cannot listen (${reason}): check SVC_HOST and SVC_PORT.`)
}
