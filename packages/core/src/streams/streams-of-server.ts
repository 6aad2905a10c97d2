import { ServiceUnavailableError } from '../errors/contract.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { refuseOptions } from './access/refuse-options.ts'
import type { StreamCredentials } from './access/stream-credentials.ts'
import { type StreamSettings, socketPath } from './access/stream-settings.ts'
import { OpenStreams } from './open-streams.ts'
import { type EventSources, ServerStreams } from './server-streams.ts'
import type { WebSockets } from './socket/web-sockets.ts'

interface Settings extends StreamSettings {
  /** The packages of the server. One of them may say which user a stream belongs to. */
  readonly lifecycles: readonly {
    readonly streamCredentials?: (server: Infrastructure) => StreamCredentials
  }[]
  readonly origins: readonly string[]
}

/** Finds the streams of a running server: routes are made before there are any. */
export class StreamsOfServer {
  readonly open = new OpenStreams()
  #current: ServerStreams | undefined
  #webSockets: WebSockets | undefined

  /** Handles upgrades to WebSockets; undefined if there are none. */
  get upgrade() {
    return this.#webSockets?.upgrade
  }

  get(): ServerStreams {
    if (!this.#current) throw new ServiceUnavailableError()
    return this.#current
  }

  /** The open streams, for metrics. */
  get kinds() {
    const { sse, sockets } = this.#current ?? {}
    return [
      ...(sse ? [{ kind: 'sse', fanOut: sse.fanOut }] : []),
      ...(sockets ? [{ kind: 'websocket', fanOut: sockets.fanOut }] : []),
    ]
  }

  async start(settings: Settings, server: Infrastructure, sources: EventSources) {
    const { events, websockets, lifecycles } = settings
    if (!events && !websockets) return
    refuseOptions(settings)
    const [credentials] = lifecycles.flatMap((each) => each.streamCredentials?.(server) ?? [])
    this.#current = new ServerStreams(settings, {
      server,
      open: this.open,
      credentials,
      ...sources,
    })
    await this.#current.open()
    const streams = this.#current.sockets
    if (!websockets || !streams) return
    // Loaded only if there are any.
    const { openWebSockets } = await import('./socket/web-sockets.ts')
    const origins = [...settings.origins, ...(websockets.options.origins ?? [])]
    const path = socketPath(settings)
    this.#webSockets = openWebSockets({ server, streams, path, origins, ...websockets })
  }

  async close() {
    this.#webSockets?.close()
    await this.#current?.close()
  }
}
