import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { NotFoundError } from '../../errors/contract.ts'
import type { WebSocketRouter } from '../../events/contract.ts'
import type { Upgrade } from '../../http/http.ts'
import type { Infrastructure } from '../../infrastructure/infrastructure.ts'
import { lastEventId } from '../access/last-event-id.ts'
import type { WebSocketOptions } from '../access/stream-options.ts'
import type { Resumption } from '../delivery/replays.ts'
import { type RouterStreams, refuseEnded } from '../router-streams.ts'
import { acceptSockets } from './accept-sockets.ts'
import type { ClientSocket } from './client-socket.ts'
import { presentedTokens, refuseForeignOrigin, refuseUnusable } from './handshake.ts'
import { jsonFrame, socketForm } from './socket-frames.ts'
import { receiveMessages } from './socket-messages.ts'
import { createPlaces } from './socket-places.ts'
import { SocketStream } from './socket-stream.ts'
import { subscriptionMessages } from './subscription-messages.ts'
import { createUpgrades } from './upgrades.ts'

export interface WebSocketsGiven {
  readonly server: Infrastructure
  readonly streams: RouterStreams
  readonly router: WebSocketRouter
  readonly options: WebSocketOptions
  readonly path: string
  /** Pages that may connect. */
  readonly origins: readonly string[]
}

export interface WebSockets {
  /** Takes an upgrade of the server to its event streams. */
  readonly upgrade: Upgrade
  /** Refuses those whose handshake is not over. */
  readonly close: () => void
}

export function openWebSockets(given: WebSocketsGiven): WebSockets {
  const { server, streams, router, options } = given
  const maxBufferedBytes = options.maxBufferedBytes ?? 1_048_576
  const places = createPlaces(options)
  const own = router.hasChannels ? subscriptionMessages(streams) : {}
  const receive = receiveMessages({ ...router.messages, ...own }, server.log)
  const accept = acceptSockets(options)
  const upgrades = createUpgrades(server)
  const form = socketForm(router.history !== undefined)

  async function open(...[incoming, socket, head]: Parameters<Upgrade>) {
    refuseOther(incoming, given)
    const turnAway = (reason: string) =>
      accept([incoming, socket, head], (ws) => ws.close(1013, reason))
    // Asked before anything else costs anything; whoever waits meanwhile is counted when it comes in.
    if (places.areTaken()) return turnAway('too many connections')
    const stream = new SocketStream(streams, socket, maxBufferedBytes)
    leaveWith(socket, stream)
    const names = await streams.admit(stream, {
      target: incoming.url ?? '/',
      tokens: presentedTokens(incoming),
      initial: router.eventNames.filter((name) => router.has(name)),
    })
    const resumption = await streams.resumption(lastEventId(incoming))
    refuseEnded(stream)
    const want = places.take(stream)
    if (want) {
      stream.end('left')
      return turnAway(want)
    }
    accept([incoming, socket, head], (ws) => begin(ws, stream, { names, resumption }))
  }

  /** It does not stand above, where a listener would keep the whole request for as long as the socket is open. */
  function leaveWith(socket: Duplex, stream: SocketStream) {
    socket.on('close', () => {
      // One that its client has closed has ended before that, with the frame that says so.
      stream.end('dropped')
      places.leave(stream)
    })
  }

  function begin(
    ws: ClientSocket,
    stream: SocketStream,
    { names, resumption }: { names: readonly string[]; resumption: Resumption | undefined },
  ) {
    ws.serve(stream)
    ws.on('message', receive)
    const { content, id } = streams.opening(names, resumption)
    stream.write(jsonFrame('connected', content, id))
    streams.start(stream, { names, form, resumption })
  }

  return {
    upgrade: (incoming, socket, head) =>
      upgrades.take(incoming, socket, () => open(incoming, socket, head)),
    close: upgrades.close,
  }
}

function refuseOther(incoming: IncomingMessage, { path, origins, server }: WebSocketsGiven) {
  const [asked] = (incoming.url ?? '').split('?')
  if (asked !== path) throw new NotFoundError({ resource: 'Route' })
  refuseUnusable(incoming)
  refuseForeignOrigin(incoming, [...origins, ...server.ownOrigins])
}
