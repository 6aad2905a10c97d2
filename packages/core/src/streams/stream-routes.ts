import { Type as t } from 'typebox'
import { UnauthorizedError } from '../errors/contract.ts'
import { defineRouter, route } from '../routes/contract.ts'
import {
  type StreamSettings,
  streamAuth,
  streamPath,
  tokenAuth,
  tokenPath,
} from './access/stream-settings.ts'
import { sseRoute } from './sse/sse-route.ts'
import type { StreamsOfServer } from './streams-of-server.ts'

/** The stream itself, where the token is all that counts. */
export function eventStreamRouter(settings: StreamSettings, streams: StreamsOfServer) {
  if (!settings.events) return defineRouter({})
  const token = streamAuth(settings) && {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: `What \`POST ${tokenPath(settings)}\` answers. It opens one stream, and soon expires.`,
  }
  return defineRouter({
    eventsStream: sseRoute(streamPath(settings), { running: () => streams.get(), token }),
  })
}

/** The token, where the application's own middleware says who is asking (E-050). */
export function streamTokenRouter(settings: StreamSettings, streams: StreamsOfServer) {
  if (!tokenAuth(settings)) return defineRouter({})
  const eventsToken = route
    .post(tokenPath(settings))
    .answer(t.Object({ token: t.String() }))
    .errors(UnauthorizedError)
    .describe({ summary: 'A one-time token that opens a stream', tags: ['Events'] })
    .handler((c) => {
      c.raw.header('cache-control', 'no-store')
      return streams.get().issueToken(c)
    })
  return defineRouter({ eventsToken })
}
