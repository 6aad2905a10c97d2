import { ServiceUnavailableError } from '../errors/errors.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { route } from '../routes/route.ts'
import { defineRouter } from '../routes/router.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import { OpenStreams } from './open-streams.ts'
import { ServerStreams } from './server-streams.ts'
import { sseRoute } from './sse-route.ts'
import { type StreamSettings, streamPath, tokenAuth, tokenPath } from './stream-settings.ts'

/** Where the streams of a running server are found: routes are made before there are any. */
export class StreamsOfServer {
  readonly open = new OpenStreams()
  #current: ServerStreams | undefined

  get(): ServerStreams {
    if (!this.#current) throw new ServiceUnavailableError()
    return this.#current
  }

  start({ lifecycles, ...settings }: Settings, server: Infrastructure) {
    if (!settings.events && !settings.websockets) return
    const [credentials] = lifecycles.flatMap((each) => each.streamCredentials?.(server) ?? [])
    this.#current = new ServerStreams(settings, { server, open: this.open, credentials })
  }

  close() {
    this.#current?.close()
  }
}

interface Settings extends StreamSettings {
  readonly lifecycles: readonly Lifecycle[]
}

/** The stream itself, where the token is all that counts. */
export function eventStreamRouter(settings: StreamSettings, streams: StreamsOfServer) {
  if (!settings.events) return defineRouter({})
  return defineRouter({ eventsStream: sseRoute(streamPath(settings), () => streams.get()) })
}

/** The token, where the application's own middleware says who is asking (E-050). */
export function streamTokenRouter(settings: StreamSettings, streams: StreamsOfServer) {
  if (!tokenAuth(settings)) return defineRouter({})
  const eventsToken = route
    .post(tokenPath(settings))
    .describe({ summary: 'A one-time token that opens a stream', tags: ['Events'] })
    .handler((c) => {
      c.raw.header('cache-control', 'no-store')
      return streams.get().issueToken(c)
    })
  return defineRouter({ eventsToken })
}
