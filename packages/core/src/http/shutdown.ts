import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

// Supervisors kill a process after 10 to 30 s. Requests that take longer than this are cut off.
const patienceMillis = 10_000

type Answers = typeof ServerResponse<IncomingMessage>
type WriteHead = (this: ServerResponse, ...head: unknown[]) => ServerResponse

const answersOf = new WeakMap<Server, Answers>()

/**
 * The class of a server's answers. It has its own, so that all of them can learn that the server
 * stops.
 */
export function ownAnswers(): Answers {
  return class Answered extends ServerResponse {}
}

/** Notes the class that `createServer` got. */
export function noteAnswers(http: Server, answers: Answers) {
  answersOf.set(http, answers)
}

/**
 * From here on, each answer closes its connection. A balancer sends its next requests on kept
 * connections, and loses a request if the connection is closed while that is on its way.
 */
export function startLeaving(http: Server) {
  const answers = answersOf.get(http)
  answersOf.delete(http)
  if (!answers) return
  const { writeHead } = answers.prototype as { writeHead: WriteHead }
  // It takes effect when a head is written, also for requests that came before. Until then it costs
  // nothing.
  Object.assign(answers.prototype, {
    writeHead(this: ServerResponse, ...head: unknown[]) {
      this.setHeader('connection', 'close')
      return writeHead.apply(this, head)
    },
  })
}

// More than a request takes from a balancer to this server.
const usualLinger = 1000

/**
 * How long idle connections stay open after such a delay. Without a delay, no balancer is expected.
 */
export function lingerAfter(delayMillis: number) {
  return delayMillis > 0 ? usualLinger : 0
}

/**
 * Accepts no new connection, and resolves when every running request has its answer. Connections
 * that are idle then stay open for a while: a balancer may just be sending a request on one of
 * them.
 */
export async function drain(http: Server, lingerMillis = 0) {
  startLeaving(http)
  await untilNoneWaits(http)
  // The server's own `close` would close idle connections, including those that are so new that
  // nothing has come yet.
  const closed = new Promise<void>((resolve) =>
    NetServer.prototype.close.call(http, () => resolve()),
  )
  const cut = setTimeout(() => http.closeAllConnections(), patienceMillis)
  const lingering = new AbortController()
  await Promise.race([closed, lingerMillis && wait(lingerMillis, null, lingering)])
  lingering.abort()
  http.close()
  // A connection whose answer began long ago was not told to close, and would be kept for the next
  // request.
  const sweep = setInterval(() => http.closeIdleConnections(), 50)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

// If the load leaves no such turn, the port closes all the same.
const mostMillis = 500

// An empty turn takes a few hundredths of this.
const idleTurnMillis = 0.3

/**
 * Resolves in an empty turn of the event loop. Connections that wait to be accepted are reset with
 * the port, and each turn accepts one.
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
