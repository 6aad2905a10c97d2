import { randomBytes } from 'node:crypto'
import { NotFoundError } from '../errors/contract.ts'
import type { EventLog } from '../event-log/event-log.ts'
import type { EventMap, EventRouter } from '../events/contract.ts'
import type { Gaps } from '../events/events.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { Presence } from '../presence/presence.ts'
import type { HandlerContext } from '../routes/routes.ts'
import { openStreamTokens } from './access/open-stream-tokens.ts'
import { StreamAccess } from './access/stream-access.ts'
import type { StreamCredentials } from './access/stream-credentials.ts'
import type { StreamAuthOptions, StreamOptions } from './access/stream-options.ts'
import { rulesOf } from './access/stream-rules.ts'
import { type StreamSettings, socketAuth, streamAuth, tokenAuth } from './access/stream-settings.ts'
import type { StreamTokens } from './access/stream-tokens.ts'
import { Slices } from './delivery/slices.ts'
import { Inspector } from './inspection/inspector.ts'
import type { OpenStreams } from './open-streams.ts'
import { Places } from './places.ts'
import { RouterStreams } from './router-streams.ts'
import type { NameChange } from './stream-names.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'

const hourMillis = 3_600_000

/** The sources of events from other instances. */
export interface EventSources {
  /** Undefined if no router keeps a history for every instance. */
  readonly eventLog: EventLog | undefined
  /** Undefined if no event comes over a shared cache. */
  readonly gaps: Pick<Gaps, 'subscribe'> | undefined
  /** Undefined if no channel tells who follows it. */
  readonly presence: Presence | undefined
  /** The prefix of channels; undefined if no event comes over a shared cache. */
  readonly channelPrefix: string | undefined
}

interface Given extends EventSources {
  readonly server: Infrastructure
  readonly open: OpenStreams
  readonly credentials: StreamCredentials | undefined
}

/** All streams of a running server. */
export class ServerStreams {
  /**
   * The id of this process. It also distinguishes its frames from those of other processes and of
   * earlier runs, if no log counts them.
   */
  readonly #id = randomBytes(4).toString('hex')
  readonly sse: RouterStreams | undefined
  readonly sockets: RouterStreams | undefined
  readonly #given: Given
  readonly #settings: StreamSettings
  readonly #slices = new Slices()
  readonly #tokens: StreamTokens | undefined
  readonly #inspector: Inspector
  /** Undefined if an event stream can't change what it follows. */
  readonly subscriptions: Subscriptions | undefined
  readonly #closers: (() => void)[] = []

  constructor(settings: StreamSettings, given: Given) {
    this.#given = given
    this.#settings = settings
    const { events, websockets } = settings
    this.#tokens = this.#openTokens()
    this.sse = events && this.#open(events, streamAuth(settings))
    this.sockets = websockets && this.#open(websockets, socketAuth(settings))
    const { server, open, credentials, channelPrefix } = given
    if (credentials) this.#closers.push(open.watch(credentials, server.log))
    const { sse, sockets } = this
    const shared = channelPrefix === undefined ? undefined : { cache: server.cache, channelPrefix }
    const self = { id: this.#id, shared }
    this.#inspector = new Inspector({ open, sse, sockets, self })
    if (sse && events?.router.hasChannels) {
      this.subscriptions = new Subscriptions({ streams: sse, log: server.log, self })
    }
    open.inspectBy(this.#inspector)
  }

  get maxQueue() {
    return this.#settings.events?.options.maxQueue ?? 1000
  }

  /** From here on, they get the emissions. */
  async open() {
    await this.#given.presence?.open()
    await this.sse?.open()
    await this.sockets?.open()
    await this.#inspector.start()
    await this.subscriptions?.start()
  }

  issueToken(c: HandlerContext) {
    const access = this.#accessFor(tokenAuth(this.#settings))
    if (!access) throw new NotFoundError({ resource: 'Route' })
    return access.issue(c)
  }

  /** Changes what an event stream of the calling user follows. */
  async change(c: HandlerContext, { stream: handle, ...change }: NameChange & { stream: string }) {
    const access = this.#accessFor(streamAuth(this.#settings))
    const subject = await access?.subjectOf(c)
    if (!this.subscriptions) throw new NotFoundError({ resource: 'Route' })
    return this.subscriptions.change({ handle, change, ...(subject !== undefined && { subject }) })
  }

  /** From here on, no stream opens, and the open ones end. */
  async close() {
    for (const close of this.#closers.splice(0)) close()
    const closing = [this.sse?.close('shutdown'), this.sockets?.close('shutdown')]
    await Promise.all([this.#inspector.close(), this.subscriptions?.close(), ...closing])
    await this.#given.presence?.close()
  }

  /** A message of a cache may overtake earlier ones, or get lost. */
  #presenceOf(router: EventRouter) {
    const { presence, eventLog, server } = this.#given
    if (!presence || !router.hasPresence) return undefined
    const isLogged = eventLog?.of(router) !== undefined
    return { presence, isOrdered: isLogged || !presence.isShared || !server.cache.shared }
  }

  #openTokens() {
    const auth = tokenAuth(this.#settings)
    if (!auth) return undefined
    const { tokens, destroy } = openStreamTokens(auth, this.#given.server)
    this.#closers.push(destroy)
    return tokens
  }

  #accessFor(options: StreamAuthOptions | undefined, events: EventMap = {}) {
    const tokens = this.#tokens
    return options && tokens && new StreamAccess({ options, tokens, events, ...this.#given })
  }

  /** An event in another router's history comes from there. */
  #comesOverCache({ events }: EventRouter) {
    const { eventLog } = this.#given
    return Object.values(events).some((event) => !eventLog?.keeps(event))
  }

  #open(
    { router, options }: { router: EventRouter; options: StreamOptions },
    auth: StreamAuthOptions | undefined,
  ) {
    const { clock, log, observer } = this.#given.server
    return new RouterStreams(router, {
      clock,
      log,
      slices: this.#slices,
      open: this.#given.open,
      places: new Places(options),
      epoch: this.#id,
      access: this.#accessFor(auth, router.events),
      auth: rulesOf(router, auth),
      pingInterval: options.pingInterval ?? 10_000,
      maxAge: options.maxAge ?? hourMillis,
      maxNames: options.maxNames ?? 100,
      eventLog: this.#given.eventLog?.of(router),
      gaps: this.#comesOverCache(router) ? this.#given.gaps : undefined,
      presence: this.#presenceOf(router),
      observer,
    })
  }
}
