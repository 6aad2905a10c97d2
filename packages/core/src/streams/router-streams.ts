import type { Clock } from '../clock/clock.ts'
import { ServiceUnavailableError } from '../errors/contract.ts'
import type { RouterLog } from '../event-log/event-log.ts'
import {
  type EventRouter,
  type HistoryOptions,
  type PresenceChange,
  presenceKey,
} from '../events/contract.ts'
import type { Gaps } from '../events/events.ts'
import type { Log, Observer } from '../observation/observation.ts'
import type { StreamAccess } from './access/stream-access.ts'
import type { StreamAuthOptions } from './access/stream-options.ts'
import { FanOut } from './delivery/fan-out.ts'
import { idOf, type StreamForm } from './delivery/frame.ts'
import { History } from './delivery/history.ts'
import { Replays, type Resumption } from './delivery/replays.ts'
import { showingOf } from './delivery/shown-as.ts'
import type { Slices } from './delivery/slices.ts'
import { type EndReason, type Keeper, refuseEnded, type Stream } from './delivery/stream.ts'
import { Heartbeat } from './heartbeat.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Places } from './places.ts'
import { type PresenceSource, RouterPresence } from './presence/router-presence.ts'
import { feed, mostInMemory } from './router-feed.ts'
import { type Asked, isRefusal, StreamNames } from './stream-names.ts'

export interface RouterStreamsGiven {
  readonly clock: Clock
  readonly log: Log
  readonly slices: Slices
  readonly open: OpenStreams
  readonly places: Places
  /** Tells the frames of this process from those of another. */
  readonly epoch: string
  /** Undefined where every client may open a stream. */
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

interface Start {
  readonly names: readonly string[]
  readonly form: StreamForm
  readonly resumption?: Resumption | undefined
}

/** What a stream follows from now on. */
export interface Changed {
  readonly events: readonly string[]
  /** Behind it begins what was added; undefined where no client can come back to a place. */
  readonly id?: string
}

/** All streams of one event router: which come in, what they get, how they end. */
export class RouterStreams implements Keeper {
  readonly router: EventRouter
  readonly fanOut: FanOut
  readonly #given: RouterStreamsGiven
  readonly #replays: Replays | undefined
  readonly #presence: RouterPresence | undefined
  readonly #names: StreamNames
  readonly #heartbeat: Heartbeat
  #leaveFeed = () => {}
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
    this.#names = new StreamNames({
      ...given,
      router,
      move: (stream, names) => this.fanOut.move(stream, names),
      settled: (stream) => this.#replays?.settled(stream),
    })
    this.#heartbeat = new Heartbeat({
      ...given,
      streams: () => this.fanOut.streams(),
      reachedBy: ({ home }) => home && this.#idOf(home.reached(this.fanOut.seq)),
    })
  }

  /** A stream that is opened takes one, which is free again when its connection is gone. */
  get places(): Pick<Places, 'crowdFor' | 'take'> {
    return this.#given.places
  }

  #tellPresence(presence: PresenceSource) {
    const tell = (channel: string, change: PresenceChange) =>
      this.fanOut.emit(presenceKey(channel), change)
    return new RouterPresence({ ...presence, router: this.router, log: this.#given.log, tell })
  }

  /** From here on it gets what is emitted. */
  async open() {
    const { router, fanOut } = this
    const given = { ...this.#given, router, fanOut, presence: this.#presence }
    this.#leaveFeed = await feed({ ...given, streams: () => this.streams() })
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

  /** What this request may have. */
  async admit(stream: Stream, asked: Asked): Promise<readonly string[]> {
    if (this.#closing) throw new ServiceUnavailableError({ message: 'The server is going down.' })
    return this.#names.admit(stream, asked)
  }

  /** Has an open stream follow other events: those that are added from the place on that it answers. */
  async change(...change: Parameters<StreamNames['change']>): Promise<Changed> {
    const { names, since } = await this.#names.change(...change)
    const id = this.#idOf(since)
    return { events: names, ...(id !== undefined && { id }) }
  }

  reauthorize(stream: Stream) {
    this.#names.reauthorize(stream)
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
  start(stream: Stream, { names, form, resumption }: Start) {
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
    const askAgain = (names: readonly string[]) => this.#names.askAgain(stream, names)
    try {
      await this.#replays?.run({ stream, ...given, askAgain })
      if (stream.isStale) this.reauthorize(stream)
    } catch (error) {
      stream.end('revoked')
      if (isRefusal(error)) return
      this.#given.log.error({ err: error }, 'a stream could not be given what it had missed')
    }
  }

  forget(stream: Stream, reason: EndReason) {
    this.#presence?.forget(stream, reason)
    this.fanOut.remove(stream)
    this.#given.open.remove(stream)
  }

  /** Resolves when all have ended, behind what was emitted before. A stream that comes from here on is refused. */
  close(reason: EndReason) {
    this.#closing = true
    this.#heartbeat.stop()
    this.#leaveFeed()
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
}

function inMemory({ size, ttl }: HistoryOptions): HistoryOptions {
  return { size: Math.min(size, mostInMemory), ttl }
}

function startOf(resumption: Resumption | undefined) {
  return resumption && 'from' in resumption ? resumption.from : undefined
}
