import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  type HttpError,
  InternalServerError,
  NotFoundError,
  ServiceUnavailableError,
} from '@svc/core/client'
import { answerFailure, refusalOf, sendRefusal } from './refusals.ts'

/** Handles the requests that the front does not refuse. */
export type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

export interface FrontState {
  isStopping: boolean
}

// Browsers and load balancers wait for one answer before they send the next request. An attacker who does not could
// make one connection render thousands of pages while all others wait.
const mostAtOnce = 8

/** Passes requests on to `handle`, except those that no web app needs and those for its own health. */
export function createFront(handle: Handle, state: FrontState) {
  const underway = new WeakMap<Socket, number>()
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    const count = (change: number) => (underway.get(socket) ?? 0) + change
    if (count(1) > mostAtOnce) return void socket.destroy()
    underway.set(socket, count(1))
    outgoing.once('close', () => underway.set(socket, count(-1)))
    const refused = refusalOf(incoming)
    if (refused) return sendRefusal(incoming, outgoing, refused)
    if (incoming.url?.startsWith('/_web/')) return answerHealth(incoming, outgoing, state)
    return void answerBy(handle, incoming, outgoing)
  }
}

async function answerBy(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse) {
  try {
    await answerFailure(outgoing, () => handle(incoming, outgoing))
  } catch (error) {
    console.error('A request failed.', error)
    if (outgoing.headersSent) outgoing.destroy()
    else sendRefusal(incoming, outgoing, new InternalServerError())
  }
}

function answerHealth(incoming: IncomingMessage, outgoing: ServerResponse, state: FrontState) {
  const problem = problemOf(incoming, state)
  if (problem) return sendRefusal(incoming, outgoing, problem)
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  outgoing.writeHead(200, headers).end('{"status":"ok"}')
}

/** While the API is down, the web app stays ready, because its pages say what is wrong. */
function problemOf({ url }: IncomingMessage, { isStopping }: FrontState): HttpError | null {
  if (url === '/_web/health/live') return null
  if (url !== '/_web/health/ready') return new NotFoundError({ resource: 'Page' })
  return isStopping
    ? new ServiceUnavailableError({ message: 'The web app is stopping. Try again in a moment.' })
    : null
}
