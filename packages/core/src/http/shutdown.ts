import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

// A supervisor kills after 10 to 30 s; whatever has not been answered by now will not be.
const patienceMillis = 10_000

type Answers = typeof ServerResponse<IncomingMessage>
type WriteHead = (this: ServerResponse, ...head: unknown[]) => ServerResponse

const answersOf = new WeakMap<Server, Answers>()

/** The class of a server's answers: its own, so that all of them can learn that it leaves. */
export function ownAnswers(): Answers {
  return class Answered extends ServerResponse {}
}

/** Says what `createServer` was given of it. */
export function noteAnswers(http: Server, answers: Answers) {
  answersOf.set(http, answers)
}

/**
 * From here on each answer closes its connection. A balancer keeps connections to send its next requests on, and one
 * that is closed while a request is on its way loses that request.
 */
export function startLeaving(http: Server) {
  const answers = answersOf.get(http)
  answersOf.delete(http)
  if (!answers) return
  const { writeHead } = answers.prototype as { writeHead: WriteHead }
  // As their heads are written, and also those of requests that came before. Until then it costs nothing.
  Object.assign(answers.prototype, {
    writeHead(this: ServerResponse, ...head: unknown[]) {
      this.setHeader('connection', 'close')
      return writeHead.apply(this, head)
    },
  })
}

// More than a request takes from a balancer to here.
const usualLinger = 1000

/** How long idle connections linger after such a delay. Without one, no balancer is expected. */
export function lingerAfter(delayMillis: number) {
  return delayMillis > 0 ? usualLinger : 0
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
const mostMillis = 500

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
  const end = performance.now() + mostMillis
  for (let began = performance.now(); began < end; began = performance.now()) {
    hasTaken = false
    await new Promise(setImmediate)
    if (!hasTaken && performance.now() - began < idleTurnMillis) break
  }
  http.off('connection', take)
}
