import type { Socket } from 'node:net'
import { Type as t } from 'typebox'
import {
  BadRequestError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../../errors/contract.ts'
import { clientAddress, type RawContext } from '../../request/request.ts'
import { route, type SecurityScheme } from '../../routes/contract.ts'
import { lastEventId } from '../access/last-event-id.ts'
import { refuseEnded } from '../delivery/stream.ts'
import type { Crowd } from '../places.ts'
import type { ServerStreams } from '../server-streams.ts'
import { chunk, controlText, sseForm } from './sse-frames.ts'
import { SseStream } from './sse-stream.ts'

// The bytes that the kernel does not accept for a client are kept in memory.
const maxBufferedBytes = 1_048_576

interface Given {
  running: () => ServerStreams
  /** How a client presents the token that opens it, if it needs one. */
  token?: SecurityScheme | undefined
}

/** GET on the stream's path: the answer goes on until one of the two sides ends it. */
export function sseRoute(path: string, { running, token }: Given) {
  return route
    .get(path)
    .answer(t.Unsafe<void>({ type: 'string', contentMediaType: 'text/event-stream' }))
    .errors(UnauthorizedError, ForbiddenError, TooManyRequestsError, ServiceUnavailableError)
    .describe({
      summary: 'Server-sent events',
      description: 'The AsyncAPI document has its query and its events.',
      tags: ['Events'],
      ...(token && { asks: { credentials: [{ streamToken: token }] } }),
    })
    .handler((c) => openSse(c.raw, running()))
}

async function openSse(c: RawContext, { sse: streams, subscriptions, maxQueue }: ServerStreams) {
  const { incoming, outgoing } = c
  if (incoming.method === 'HEAD') throw new MethodNotAllowedError({ allow: ['GET'] })
  const { socket } = outgoing
  // Pipelined requests are answered in order, and this answer has no end.
  if (!socket) throw new BadRequestError({ message: 'A stream needs its own connection.' })
  if (!streams) throw new NotFoundError({ resource: 'Route' })
  const limits = { maxQueue, maxBufferedBytes }
  const isChunked = incoming.httpVersionMinor > 0
  const stream = new SseStream(streams, { outgoing, socket }, { isChunked, limits })
  stream.address = clientAddress(c)
  streams.leaveWith(outgoing, stream)
  // Checked before the token is spent. A client that waits meanwhile is counted when it is
  // accepted.
  refuseCrowd(streams.places.crowdFor(stream))
  const names = await streams.admit(stream, {
    target: c.req.target,
    tokens: [c.req.query().token ?? []].flat(),
  })
  const resumption = await streams.resumption(lastEventId(incoming))
  refuseEnded(stream)
  refuseCrowd(streams.places.take(stream))
  const { content, id } = streams.opening(names, resumption)
  const handle = subscriptions?.handleOf(stream, outgoing)
  const connected = controlText('connected', { ...content, ...(handle && { stream: handle }) }, id)
  // From here on, nothing may fail: a refusal could no longer be sent.
  sendHead(c, socket)
  socket.write(isChunked ? chunk(connected) : connected)
  streams.start(stream, { names, form: sseForm(isChunked), resumption })
}

// Room can become free at any moment. Clients add a random part, and wait longer each time.
const retryAfter = 5

function refuseCrowd(crowd: Crowd | null) {
  if (crowd === null) return
  if (crowd === 'all') {
    throw new ServiceUnavailableError({
      message: 'Too many streams are open. Try again later.',
      retryAfter,
    })
  }
  const whose = crowd === 'subject' ? 'for this user' : 'from this address'
  throw new TooManyRequestsError({
    message: `Too many streams are open ${whose}. Close one, or try again later.`,
    retryAfter,
  })
}

function sendHead({ outgoing, requestId }: RawContext, socket: Socket) {
  // A stream may be silent between its pings. Whether its client reads is checked elsewhere.
  socket.setTimeout(0)
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    // Compressing proxies collect data, unless they may not transform it.
    'cache-control': 'no-cache, no-transform',
    // nginx passes each piece on at once.
    'x-accel-buffering': 'no',
    'x-request-id': requestId,
    // A balancer would send its next request on the connection of an ended stream, which a shutdown
    // then closes.
    connection: 'close',
  })
  outgoing.flushHeaders()
}
