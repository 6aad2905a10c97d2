import type { Clock } from '../clock/clock.ts'
import { ServiceUnavailableError, UnauthorizedError } from '../errors/contract.ts'
import { HttpError } from '../errors/errors.ts'
import type { LoggedEvent, Loss, RouterLog } from '../event-log/event-log.ts'
import {
  type EventRouter,
  type HistoryOptions,
  type PresenceChange,
  presenceKey,
} from '../events/contract.ts'
import type { Gaps } from '../events/events.ts'
import type { Log, Observer } from '../observation/observation.ts'
import { refuseEvents, requestedEvents } from './access/requested-events.ts'
import type { StreamAccess } from './access/stream-access.ts'
import type { StreamAuthOptions } from './access/stream-options.ts'
import type { StreamGrant } from './access/stream-tokens.ts'
import { FanOut } from './delivery/fan-out.ts'
import { idOf, type StreamForm } from './delivery/frame.ts'
import { History } from './delivery/history.ts'
import { Replays, type Resumption } from './delivery/replays.ts'
import { showingOf } from './delivery/shown-as.ts'
import type { Slices } from './delivery/slices.ts'
import type { EndReason, Keeper, Stream } from './delivery/stream.ts'
import { inTime } from './in-time.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Places } from './places.ts'
import { type PresenceSource, RouterPresence } from './presence/router-presence.ts'

export interface RouterStreamsGiven {
  readonly clock: Clock
  readonly log: Log
  readonly slices: Slices
  readonly open: OpenStreams
  readonly places: Places
  /** Tells the frames of this process from those of another. */
  readonly epoch: string
  /** Undefined where streams are open to everybody. */
  readonly access: StreamAccess | undefined
  readonly auth: Pick<StreamAuthOptions, 'filter' | 'recipients'>
  readonly pingInterval: number
  readonly maxAge: number
  readonly maxNames: number
  /** Where the router's history is; undefined where it has none, or none but in memory. */
  readonly eventLog: RouterLog | undefined
  /** Undefined where no event is lost on its way from another instance. */
  readonly gaps: Pick<Gaps, 'subscribe'> | undefined
  /** Undefined where no channel tells who follows it. */
  readonly presence: PresenceSource | undefined
  readonly observer?: Observer | undefined
}

/** More than these are read from the log when they are asked for. */
const mostInMemory = 10_000

/** All streams of one event router: who comes in, what they get, how they end. */
export class RouterStreams implements Keeper {
  readonly router: EventRouter
  readonly fanOut: FanOut
  readonly #given: RouterStreamsGiven
  readonly #replays: Replays | undefined
  readonly #presence: RouterPresence | undefined
  readonly #pingTimer: NodeJS.Timeout
  #unsubscribe: (() => void)[] = []
  #pinging = false
  #closing = false

  constructor(router: EventRouter, given: RouterStreamsGiven) {
    this.router = router
    this.#given = given
    const { history: options } = router
    const { eventLog: log } = given
    const history = options && new History(log ? inMemory(options) : options)
    this.#presence = given.presence && this.#tellPresence(given.presence)
    const showing = showingOf(router)
    this.fanOut = new FanOut({ ...given, history, showing, presence: this.#presence })
    this.#replays =
      options && history && new Replays({ fanOut: this.fanOut, options, history, log })
    this.#pingTimer = setInterval(() => this.#pingAll(), given.pingInterval).unref()
  }

  /** A stream that is opened takes one, which is free again when its connection is gone. */
  get places(): Pick<Places, 'crowdFor' | 'take'> {
    return this.#given.places
  }

  /** From here on it gets what is emitted. */
  async open() {
    const { eventLog } = this.#given
    this.#unsubscribe = eventLog ? [await this.#followLog(eventLog)] : this.#subscribeAll()
  }

  #subscribeAll() {
    const events = Object.entries(this.router.events).map(([name, event]) =>
      event.subscribe((payload: unknown) => this.fanOut.emit(name, payload)),
    )
    const presence = Object.entries(this.router['~presence']).map(([name, channel]) =>
      channel['~presence'].subscribe((change) => this.#presence?.hear(name, change)),
    )
    const leaveGaps = this.#given.gaps?.subscribe(() => this.fanOut.tellGap('interrupted'))
    return [...events, ...presence, ...(leaveGaps ? [leaveGaps] : [])]
  }

  #tellPresence(presence: PresenceSource) {
    const tell = (channel: string, change: PresenceChange) =>
      this.fanOut.emit(presenceKey(channel), change)
    return new RouterPresence({ ...presence, router: this.router, log: this.#given.log, tell })
  }

  /** What the log has by now is in memory first: after a restart, everyone asks for it. */
  async #followLog(log: RouterLog) {
    let at = Math.max(0, log.position - mostInMemory)
    this.fanOut.beginAfter(at, log.epoch)
    while (at < log.position) {
      const events = await log.after(at)
      at = events?.at(-1)?.position ?? log.position
      if (events) this.#take(events)
      else this.fanOut.beginAfter(at, log.epoch)
    }
    return log.follow({
      took: (events) => this.#take(events),
      lost: (loss) => this.#goOn(loss, log),
    })
  }

  #take(events: readonly LoggedEvent[]) {
    for (const event of events) if (event.position > this.fanOut.seq) this.fanOut.take(event)
  }

  #goOn(loss: Loss, { epoch, position }: RouterLog) {
    this.fanOut.beginAfter(position - 1, epoch)
    if (loss === 'expired') return this.fanOut.tellGap(loss, position)
    // Positions may begin again: whoever comes back is told that it is another log.
    for (const stream of this.streams()) stream.end('aged')
  }

  streams() {
    return [...this.fanOut.streams(), ...(this.#replays?.streams ?? [])]
  }

  /** Which events it gets. */
  eventsOf(stream: Stream): readonly string[] {
    return stream.home?.names ?? this.#replays?.namesOf(stream) ?? []
  }

  /** It ends with its connection, or with the answer that it is. */
  leaveWith(connection: { on(event: 'close', listener: () => void): unknown }, stream: Stream) {
    const { places } = this.#given
    connection.on('close', () => {
      stream.closed()
      places.leave(stream)
    })
  }

  /** What this request may have. The order is decided: names, token, authorization; a wrong name spends no token. */
  async admit(stream: Stream, { target, tokens, initial }: Asked): Promise<readonly string[]> {
    if (this.#closing) throw new ServiceUnavailableError({ message: 'The server is going down.' })
    const requested = this.#requestedBy(target) ?? initial ?? refuseEvents()
    const { access, open } = this.#given
    if (!access) return requested
    const grant = await access.spend(tokens)
    refuseEnded(stream)
    stream.grant = grant
    // Before anything is looked at: whoever revokes the credential from here on finds this stream.
    open.add(stream as Stream & { grant: StreamGrant })
    try {
      return await this.#authorize(stream, { access, grant, requested: () => requested })
    } catch (error) {
      stream.end('left')
      throw error
    }
  }

  #requestedBy(target: string) {
    const names = requestedEvents(target, (name) => this.router.has(name))
    return names && this.#refuseTooMany(names)
  }

  #refuseTooMany(names: readonly string[]) {
    const { maxNames } = this.#given
    if (names.length > maxNames) refuseEvents(`must name at most ${maxNames} events`)
    return names
  }

  /** One question at a time: of two answers, the older could come last. What is asked for may change meanwhile. */
  async #authorize(stream: Stream, { access, grant, requested }: Asking) {
    stream.isAsking = true
    try {
      for (;;) {
        stream.isStale = false
        stream.standing = await access.standing(grant)
        const asked = requested()
        const names = asked.length > 0 ? await access.authorize(grant, asked) : asked
        refuseEnded(stream)
        if (stream.isStale) continue
        if (names.length < asked.length) stream.requested = asked
        return names
      }
    } finally {
      stream.isAsking = false
    }
  }

  /** Has an open stream follow other events: those that are added from now on. Answers what it has then. */
  async change(stream: Stream, { add, remove }: NameChange): Promise<readonly string[]> {
    if (![...add, ...remove].every((name) => this.router.has(name))) refuseEvents()
    await this.#replays?.settled(stream)
    refuseEnded(stream)
    const { access } = this.#given
    const allowed =
      access && stream.grant && add.length > 0 ? await access.authorize(stream.grant, add) : add
    refuseEnded(stream)
    const names = changed(stream.home?.names ?? [], { add: allowed, remove })
    const requested = changed(stream.requested ?? stream.home?.names ?? [], { add, remove })
    this.#refuseTooMany(requested)
    stream.requested = requested.length > names.length ? requested : undefined
    this.fanOut.move(stream, names)
    // What was asked for meanwhile did not know of these.
    if (stream.isAsking || stream.isStale) this.reauthorize(stream)
    return names
  }

  /** Where a stream goes on whose client got to an id before. Undefined for a new one. */
  async resumption(lastId: string | undefined): Promise<Resumption | undefined> {
    if (!lastId) return undefined
    return (await this.#replays?.locate(lastId)) ?? { loss: 'unknown' }
  }

  /** What the first frame says of a stream, and the id of the place where it begins. */
  opening(names: readonly string[], resumption: Resumption | undefined) {
    const { clock } = this.#given
    const loss = resumption && 'loss' in resumption ? resumption.loss : undefined
    const content = {
      events: names,
      timestamp: clock.now().toISOString(),
      ...(resumption && { recovered: loss === undefined }),
      ...(loss && this.#replays && { reason: loss }),
    }
    return { content, id: this.#idOf(startOf(resumption) ?? this.fanOut.seq) }
  }

  /** Undefined where no client can come back to it. */
  #idOf(seq: number) {
    return this.#replays && idOf({ epoch: this.fanOut.epoch, seq })
  }

  /**
   * From here on it gets what is emitted, behind what it has missed, unless something has come between its admission
   * and this.
   */
  start(
    stream: Stream,
    {
      names,
      form,
      resumption,
    }: { names: readonly string[]; form: StreamForm; resumption?: Resumption | undefined },
  ) {
    refuseEnded(stream)
    const { clock, maxAge, open } = this.#given
    stream.isStarted = true
    stream.number = open.count()
    stream.openedAtMillis = clock.now().getTime()
    // A tenth of it is left to chance, so that those who came together do not come again together.
    stream.endsAtMillis = stream.openedAtMillis + maxAge * (1 - Math.random() / 10)
    const from = startOf(resumption)
    if (this.#closing) return stream.end('shutdown')
    // While it gets what it has missed, it is there already.
    this.#presence?.follow(stream, names)
    if (from === undefined || !this.#replays) this.#join(stream, names, form)
    else void this.#replay(stream, { names, form, from })
  }

  #join(stream: Stream, names: readonly string[], form: StreamForm) {
    this.fanOut.add(stream, names, form)
    if (stream.isStale) this.reauthorize(stream)
  }

  async #replay(
    stream: Stream,
    given: { names: readonly string[]; form: StreamForm; from: number },
  ) {
    const askAgain = (names: readonly string[]) => this.#askAgain(stream, names)
    try {
      await this.#replays?.run({ stream, ...given, askAgain })
      if (stream.isStale) this.reauthorize(stream)
    } catch (error) {
      stream.end('revoked')
      if (isRefusal(error)) return
      this.#given.log.error({ err: error }, 'a stream could not be given what it had missed')
    }
  }

  /** Before what was emitted while it was away is shown to whoever may not see it any more. */
  async #askAgain(stream: Stream, names: readonly string[]) {
    const { access } = this.#given
    if (!access?.authorizes || !stream.grant) throw new UnauthorizedError()
    const requested = () => stream.requested ?? names
    return inTime(this.#authorize(stream, { access, grant: stream.grant, requested }))
  }

  forget(stream: Stream, reason: EndReason) {
    this.#presence?.forget(stream, reason)
    this.fanOut.remove(stream)
    this.#given.open.remove(stream)
  }

  reauthorize(stream: Stream) {
    const { access, log } = this.#given
    const { grant, home } = stream
    stream.isStale = true
    if (stream.isAsking || !home || !access || !grant) return
    // Nobody has said what a changed role may have: its client opens a stream anew.
    if (!access.authorizes) return stream.end('revoked')
    const requested = () => stream.requested ?? stream.home?.names ?? []
    const asking = { access, grant, requested }
    inTime(this.#narrow(stream, asking)).catch((error: unknown) => {
      const isRefused = isRefusal(error)
      // It is asked again when the credentials are next looked at, where there are any, unless this question hangs.
      if (isRefused || grant.credential === undefined || stream.isAsking) stream.end('revoked')
      stream.standing = ''
      if (isRefused) return
      log.error({ err: error }, 'a stream could not be authorized again')
    })
  }

  async #narrow(stream: Stream, asking: Asking) {
    const names = await this.#authorize(stream, asking)
    if (stream.home) this.fanOut.move(stream, names)
  }

  /** Resolves when all have ended, behind what was emitted before. Who comes from here on is refused. */
  close(reason: EndReason) {
    this.#closing = true
    clearInterval(this.#pingTimer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#presence?.close()
    return new Promise<void>((resolve) => this.#given.slices.add(this.#endAll(reason, resolve)))
  }

  *#endAll(reason: EndReason, done: () => void): Generator<undefined, void> {
    for (const [at, stream] of this.streams().entries()) {
      stream.end(reason)
      // Ending one costs far more than writing to it.
      if (at % 8 === 7) yield
    }
    done()
  }

  #pingAll() {
    if (this.#pinging) return
    this.#pinging = true
    this.#given.slices.add(this.#pings())
  }

  *#pings(): Generator<undefined, void> {
    const now = this.#given.clock.now()
    for (const [at, stream] of this.fanOut.streams().entries()) {
      if (now.getTime() >= stream.endsAtMillis) stream.end('aged')
      else if (stream.isOpen) stream.ping(now, this.#reachedBy(stream))
      if (at % 64 === 63) yield
    }
    this.#pinging = false
  }

  #reachedBy({ home }: Stream) {
    return home && this.#idOf(home.reached(this.fanOut.seq))
  }
}

function inMemory({ size, ttl }: HistoryOptions): HistoryOptions {
  return { size: Math.min(size, mostInMemory), ttl }
}

function startOf(resumption: Resumption | undefined) {
  return resumption && 'from' in resumption ? resumption.from : undefined
}

function isRefusal(error: unknown) {
  return error instanceof HttpError && error.status < 500
}

/** Its client has left, or what it was opened by is revoked. */
export function refuseEnded(stream: Stream) {
  if (!stream.isOpen) throw new UnauthorizedError()
}

export interface Asked {
  /** Path and query of the request line. */
  readonly target: string
  readonly tokens: readonly string[]
  /** What a request that names no events asks for; it is refused where there is nothing. */
  readonly initial?: readonly string[]
}

interface Asking {
  readonly access: StreamAccess
  readonly grant: StreamGrant
  readonly requested: () => readonly string[]
}

export interface NameChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

function changed(names: readonly string[], { add, remove }: NameChange) {
  return [...new Set([...names, ...add])].filter((name) => !remove.includes(name))
}
