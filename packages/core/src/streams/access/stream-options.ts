import type { AnyChannel, AnyEvent, EventMap } from '../../events/contract.ts'
import type { HandlerContext } from '../../routes/routes.ts'
import type { StreamTokenStore, StreamTokens } from './stream-tokens.ts'

type PayloadOf<Event extends AnyEvent> = Event['~payload']

type Awaitable<Value> = Value | Promise<Value>

type ChannelNames<Events extends EventMap> = {
  [Name in keyof Events]: Events[Name] extends AnyChannel ? Name : never
}[keyof Events]

/** Who may open a stream, and which events it gets. */
export interface StreamAuthOptions<Events extends EventMap = EventMap> {
  /** Streams need a one-time token, and there is a route that issues them. */
  enabled: boolean
  /** How long a token may wait for its stream, in milliseconds. 30,000 unless set. */
  tokenTtl?: number
  /** Where tokens wait: in the cache if it is shared, otherwise in the memory of this process. */
  store?: StreamTokenStore
  /**
   * Tokens of another kind, such as `oneTimeTokens` of @svc/auth. Then `store` and `tokenTtl` are
   * ignored.
   */
  tokenManager?: StreamTokens | (() => StreamTokens)
  /** The subject of the new stream. The account that signed the request unless set. */
  getSubject?: (c: HandlerContext) => Awaitable<string | null | undefined>
  /** Returns the events that this subject may get, with the credential that it has signed with. */
  authorize?: (
    subject: string,
    events: string[],
    credential?: string,
  ) => Awaitable<readonly string[]>
  /**
   * Whether this subject may follow a channel of this resource. It is called when a stream asks for
   * the channel, and again when the role of its account changes.
   */
  channels?: {
    [Name in ChannelNames<Events>]?: (
      subject: string,
      id: string,
      credential?: string,
    ) => Awaitable<boolean>
  }
  /** Return false to leave a delivery out. It runs for every open stream. */
  filter?: {
    [Name in keyof Events]?: (subject: string, payload: PayloadOf<Events[Name]>) => boolean
  }
  /**
   * The subjects that get an emission. It runs once for an emission, however many streams are open.
   */
  recipients?: {
    [Name in keyof Events]?: (payload: PayloadOf<Events[Name]>) => string | readonly string[]
  }
}

export interface StreamOptions<Events extends EventMap = EventMap> {
  path?: `/${string}`
  /** The interval of pings, in milliseconds. 10,000 unless set. */
  pingInterval?: number
  /** How long a stream may be open, in milliseconds. An hour unless set. */
  maxAge?: number
  /** How many events and channels a stream may ask for. 100 unless set. */
  maxNames?: number
  /** How many of these streams one process can have at a time. 10,000 unless set. */
  maxConnections?: number
  /** The same for each subject. 0 means any number, and is the default. */
  maxConnectionsPerSubject?: number
  /** The same for each client address, or /64 of IPv6. 0 means any number, and is the default. */
  maxConnectionsPerAddress?: number
  /** Broadcasts events over the cache if it is shared. `false` keeps them in this process. */
  multiInstance?: boolean
  /**
   * The prefix of channels, before the event's name. `SVC_SSE_CHANNEL_PREFIX` or `svc:sse:` unless
   * set.
   */
  channelPrefix?: string
  auth?: StreamAuthOptions<Events>
}

/** The options of a stream over server-sent events. */
export interface EventStreamOptions<Events extends EventMap = EventMap>
  extends StreamOptions<Events> {
  /** How many frames may wait for a slow client. 1000 unless set. */
  maxQueue?: number
  /** @deprecated Declared for compatibility, and ignored. */
  headers?: Record<string, string>
}

/** The options of a stream over a WebSocket. */
export interface WebSocketOptions<Events extends EventMap = EventMap>
  extends StreamOptions<Events> {
  /** The largest message that a client may send. 1 MiB unless set. */
  maxPayload?: number
  /** How many bytes may wait for a slow client. 1 MiB unless set. */
  maxBufferedBytes?: number
  /** Pages that may connect, beside those of the server's own origin and of `.origins(…)`. */
  origins?: readonly string[]
}
