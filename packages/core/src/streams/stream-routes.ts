import { Type as t } from 'typebox'
import { UnauthorizedError } from '../errors/contract.ts'
import { defineRouter, route } from '../routes/contract.ts'
import {
  type StreamSettings,
  streamAuth,
  streamPath,
  subscriptionsPath,
  tokenAuth,
  tokenPath,
} from './access/stream-settings.ts'
import type { ServerStreams } from './server-streams.ts'
import { sseRoute } from './sse/sse-route.ts'
import { subscriptionsRoute } from './sse/subscriptions-route.ts'
import type { StreamsOfServer } from './streams-of-server.ts'

/** The stream itself, for which only the token counts. */
export function eventStreamRouter(settings: StreamSettings, streams: StreamsOfServer) {
  if (!settings.events) return defineRouter({})
  const token = streamAuth(settings) && {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: `The token of \`POST ${tokenPath(settings)}\`. It opens one stream, and expires soon.`,
  }
  return defineRouter({
    eventsStream: sseRoute(streamPath(settings), { running: () => streams.get(), token }),
  })
}

/** The operations beside a stream. The application's own middleware authenticates them. */
export function besideStreamsRouter(settings: StreamSettings, streams: StreamsOfServer) {
  const path = subscriptionsPath(settings)
  const running = () => streams.get()
  return defineRouter({
    ...(tokenAuth(settings) && { eventsToken: tokenRoute(tokenPath(settings), running) }),
    ...(path !== undefined && { eventsSubscribe: subscriptionsRoute(path, running) }),
  })
}

/** A one-time token (E-050). */
function tokenRoute(path: string, running: () => ServerStreams) {
  return route
    .post(path)
    .answer(t.Object({ token: t.String() }))
    .errors(UnauthorizedError)
    .describe({ summary: 'A one-time token that opens a stream', tags: ['Events'] })
    .handler((c) => {
      c.raw.header('cache-control', 'no-store')
      return running().issueToken(c)
    })
}
