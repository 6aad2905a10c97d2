import { type Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

// A supervisor kills after 10 to 30 s; whatever has not been answered by now will not be.
const patienceMillis = 10_000

const leaving = new WeakSet<Server>()

/**
 * From here on each answer closes its connection. A balancer keeps connections to send its next requests on, and one
 * that is closed while a request is on its way loses that request.
 */
export function startLeaving(http: Server) {
  leaving.add(http)
}

/** The answers of a server. It is looked at as a head is written: a request may have come before its server leaves. */
export function answersOf(http: () => Server) {
  return class Answered extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (leaving.has(http())) this.setHeader('connection', 'close')
      // They are passed on as they came, for whichever of its forms was called.
      return super.writeHead(status, ...(rest as []))
    }
  }
}

/**
 * Takes no new connection, and resolves when every request under way has its answer. Connections that are idle by then
 * linger for a while: a balancer may just be sending a request on one of them.
 */
export async function drain(http: Server, lingerMillis = 0) {
  startLeaving(http)
  await untilNoneWaits(http)
  // The server's own `close` would close what is idle, and also connections that are so new that nothing has come yet.
  const closed = new Promise<void>((resolve) =>
    NetServer.prototype.close.call(http, () => resolve()),
  )
  const cut = setTimeout(() => http.closeAllConnections(), patienceMillis)
  const lingering = new AbortController()
  await Promise.race([closed, lingerMillis && wait(lingerMillis, null, lingering)])
  lingering.abort()
  http.close()
  // A connection whose answer began long ago has not been told to close, and would be kept for the next request.
  const sweep = setInterval(() => http.closeIdleConnections(), 50)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

// Under a load that leaves no such turn, the port closes all the same.
const mostTurns = 1000

// A turn that does nothing takes a few hundredths of it.
const idleTurnMillis = 0.3

/**
 * Resolves in a turn of the event loop that had nothing to do. Connections that wait to be taken are reset with the
 * port, and each turn takes one.
 */
async function untilNoneWaits(http: Server) {
  let hasTaken = false
  const take = () => {
    hasTaken = true
  }
  http.on('connection', take)
  for (let turn = 0; turn < mostTurns; turn++) {
    hasTaken = false
    const began = performance.now()
    await new Promise(setImmediate)
    if (!hasTaken && performance.now() - began < idleTurnMillis) break
  }
  http.off('connection', take)
}
