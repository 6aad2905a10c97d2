import { errorFrom } from '../call/errors.ts'
import type { HttpError } from '../errors/errors.ts'
import { isSubprotocol, subprotocol, tokenPrefix } from '../events/contract.ts'
import {
  type Ask,
  type Attempt,
  drop,
  type End,
  gapBy,
  openedBy,
  type Source,
  type SourceListener,
  type Told,
  verdictOf,
} from './source.ts'
import { streamUrl } from './stream-url.ts'

/** A connection over which a client also sends. */
export interface SendingSource extends Source {
  /** False if there is no open connection. */
  send(text: string): boolean
}

/** `{ type, data }` in both directions, over the WebSocket of browsers and Node (decisions 11). */
export function webSocketSource(place: () => URL): SendingSource {
  let open: WebSocket | undefined
  return {
    // Browsers answer the protocol's own pings, but don't tell the page.
    isPinged: false,
    send: (text) => {
      if (open?.readyState !== WebSocket.OPEN) return false
      open.send(text)
      return true
    },
    run: (attempt, listener) =>
      new Promise((resolve) => {
        const socket = connect(place(), attempt)
        const pass = framePasser(listener, socket, () => {
          open = socket
        })
        socket.addEventListener('message', ({ data }) => {
          if (!attempt.signal.aborted) pass(data)
        })
        const leave = () => {
          if (open === socket) open = undefined
        }
        socket.addEventListener('close', (event) => {
          leave()
          resolve(endBy(event))
        })
        attempt.signal.addEventListener('abort', () => {
          leave()
          socket.close()
          resolve(drop('The socket was silent.'))
        })
      }),
  }
}

/**
 * A token goes where neither a log nor a history keeps it, unless it can't be the name of a
 * protocol.
 */
function connect(place: URL, { token, ...attempt }: Attempt) {
  const url = new URL(place)
  url.protocol = url.protocol.replace('http', 'ws')
  const isName = token === undefined || isSubprotocol(token)
  const offered =
    token !== undefined && isName ? [subprotocol, `${tokenPrefix}${token}`] : [subprotocol]
  return new WebSocket(streamUrl(url, isName ? attempt : { ...attempt, token }), offered)
}

/** The first frame says that the stream is open. */
function framePasser(listener: SourceListener, socket: WebSocket, onOpen: () => void) {
  let isOpen = false
  // There is one change at a time.
  let waiting: PromiseWithResolvers<Told> | undefined
  const ask: Ask = ({ type, names }) => {
    waiting = Promise.withResolvers()
    socket.send(JSON.stringify({ type, data: { events: names } }))
    return waiting.promise
  }
  return (text: unknown) => {
    listener.heard()
    const frame = parse(text)
    if (!frame) return
    const { type, data = null, id } = frame
    if (type === 'ping') {
      listener.pinged()
      if (id !== undefined) listener.reached({ lastEventId: id })
      return
    }
    if (type === 'subscribed' && waiting) return waiting.resolve(data as Told)
    if (type === 'error') {
      const error = messageError(data)
      if (waiting && /^(un)?subscribe$/.test(error.for ?? '')) return waiting.reject(error)
      return listener.messageError(error)
    }
    if (type === 'gap') return listener.gap(gapBy(data), id)
    if (isOpen || type !== 'connected') {
      return listener.message({ event: type, data, ...(id !== undefined && { id }) }, id)
    }
    isOpen = true
    onOpen()
    listener.opened(openedBy(data), ask, id)
  }
}

interface ReadFrame {
  readonly type: string
  readonly data?: unknown
  readonly id?: string | undefined
}

function parse(text: unknown): ReadFrame | undefined {
  try {
    const frame = JSON.parse(String(text)) as { [Member in keyof ReadFrame]?: unknown } | null
    if (typeof frame?.type === 'string') {
      const id = typeof frame.id === 'string' ? frame.id : undefined
      return { type: frame.type, data: frame.data, id }
    }
    console.error('The socket sent a frame without a type')
  } catch (error) {
    console.error('The socket sent a frame that is not JSON', error)
  }
  return undefined
}

/** The fields of a refusal, and `for`: the type of the refused message. */
function messageError(data: unknown): HttpError & { for?: string } {
  const facts = (data ?? {}) as { code?: unknown }
  const answer = new Response(null, { status: facts.code === 'Error' ? 500 : 400 })
  return errorFrom(answer, { ...facts, __type: facts.code })
}

const refusals: Record<number, string> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  429: 'TooManyRequestsError',
  503: 'ServiceUnavailableError',
}

const goingAway = 1001

// A server that stops drops all its clients, and no frame tells each of them when to reconnect.
const spreadMillis = 10_000

/**
 * A browser shows a refused upgrade only as a socket that closes with 1006, so it counts as a drop.
 */
function endBy({ code, reason }: CloseEvent): End {
  const status = statusOf(code)
  if (status === undefined) {
    const end = drop(`The socket has closed: ${code} ${reason}`.trim())
    return code === goingAway ? { ...end, retryMillis: Math.random() * spreadMillis } : end
  }
  const answer = new Response(null, { status })
  const error = errorFrom(answer, {
    __type: refusals[status],
    message: reason || `Closed: ${code}`,
  })
  return { verdict: verdictOf(status), error }
}

/**
 * 1013 is "try again later", and 1008 an invalid credential. 4401 and the like contain a status.
 */
function statusOf(code: number) {
  if (code === 1013) return 503
  if (code === 1008) return 401
  return code >= 4400 && code < 4600 ? code - 4000 : undefined
}
