import type { IncomingMessage } from 'node:http'
import { NotFoundError } from '../../errors/contract.ts'
import type { WebSocketRouter } from '../../events/contract.ts'
import type { Upgrade } from '../../http/http.ts'
import type { Infrastructure } from '../../infrastructure/infrastructure.ts'
import { clientAddress } from '../../request/request.ts'
import { lastEventId } from '../access/last-event-id.ts'
import type { WebSocketOptions } from '../access/stream-options.ts'
import { refuseEnded } from '../delivery/stream.ts'
import type { Crowd } from '../places.ts'
import type { RouterStreams } from '../router-streams.ts'
import { acceptSockets } from './accept-sockets.ts'
import { presentedTokens, refuseForeignOrigin, refuseUnusable } from './handshake.ts'
import { jsonFrame, socketForm } from './socket-frames.ts'
import { receiveMessages } from './socket-messages.ts'
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
  /** Passes an upgrade of the server to its event streams. */
  readonly upgrade: Upgrade
  /** Refuses connections whose handshake is not complete. */
  readonly close: () => void
}

const tooMany: Record<Crowd, string> = {
  all: 'too many connections',
  subject: 'too many connections of this subject',
  address: 'too many connections of this address',
}

export function openWebSockets(given: WebSocketsGiven): WebSockets {
  const { server, streams, router, options } = given
  const maxBufferedBytes = options.maxBufferedBytes ?? 1_048_576
  const own = router.hasChannels ? subscriptionMessages(streams) : {}
  const receive = receiveMessages({ ...router.messages, ...own }, server.log)
  const accept = acceptSockets(options)
  const upgrades = createUpgrades(server)
  const form = socketForm(router.history !== undefined)

  async function open(...[incoming, socket, head]: Parameters<Upgrade>) {
    refuseOther(incoming, given)
    const turnAway = (crowd: Crowd) =>
      accept([incoming, socket, head], (ws) => ws.close(1013, tooMany[crowd]))
    const stream = new SocketStream(streams, socket, maxBufferedBytes)
    stream.address = clientAddress({ incoming, server })
    // Checked before any costly work. A client that waits meanwhile is counted when it is accepted.
    const crowd = streams.places.crowdFor(stream)
    if (crowd) return turnAway(crowd)
    streams.leaveWith(socket, stream)
    const names = await streams.admit(stream, {
      target: incoming.url ?? '/',
      tokens: presentedTokens(incoming),
      initial: router.eventNames.filter((name) => router.has(name)),
    })
    const resumption = await streams.resumption(lastEventId(incoming))
    refuseEnded(stream)
    const newCrowd = streams.places.take(stream)
    if (newCrowd) {
      stream.end('left')
      return turnAway(newCrowd)
    }
    const { content, id } = streams.opening(names, resumption)
    const connected = jsonFrame('connected', content, id)
    // From here on, nothing may fail: a refusal could no longer be sent.
    accept([incoming, socket, head], (ws) => {
      ws.serve(stream)
      ws.on('message', receive)
      stream.write(connected)
      streams.start(stream, { names, form, resumption })
    })
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
