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
  /** Distinguishes the frames of this process from those of another. */
  readonly epoch: string
  /** Undefined if every client may open a stream. */
  readonly access: StreamAccess | undefined
  readonly auth: Pick<StreamAuthOptions, 'filter' | 'recipients'>
  readonly pingInterval: number
  readonly maxAge: number
  readonly maxNames: number
  /** The router's history; undefined if it has none, or only one in memory. */
  readonly eventLog: RouterLog | undefined
  /** Undefined if no event of another instance can get lost. */
  readonly gaps: Pick<Gaps, 'subscribe'> | undefined
  /** Undefined if no channel tells who follows it. */
  readonly presence: PresenceSource | undefined
  readonly observer?: Observer | undefined
}

interface Start {
  readonly names: readonly string[]
  readonly form: StreamForm
  readonly resumption?: Resumption | undefined
}

/** What a stream follows after a change. */
export interface Changed {
  readonly events: readonly string[]
  /** The added names begin after this id; undefined if clients can't continue from a place. */
  readonly id?: string
}

/** All streams of one event router: which ones may open, what they get, how they end. */
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

  /**
   * The limits. An opened stream takes a place, which is free again when its connection is gone.
   */
  get places(): Pick<Places, 'crowdFor' | 'take'> {
    return this.#given.places
  }

  #tellPresence(presence: PresenceSource) {
    const tell = (channel: string, change: PresenceChange) =>
      this.fanOut.emit(presenceKey(channel), change)
    return new RouterPresence({ ...presence, router: this.router, log: this.#given.log, tell })
  }

  /** From here on, it gets the emissions. */
  async open() {
    const { router, fanOut } = this
    const given = { ...this.#given, router, fanOut, presence: this.#presence }
    this.#leaveFeed = await feed({ ...given, streams: () => this.streams() })
  }

  streams() {
    return [...this.fanOut.streams(), ...(this.#replays?.streams ?? [])]
  }

  /** The events that it gets. */
  eventsOf(stream: Stream): readonly string[] {
    return stream.home?.names ?? this.#replays?.namesOf(stream) ?? []
  }

  /** The stream ends with its connection, or with its answer. */
  leaveWith(connection: { on(event: 'close', listener: () => void): unknown }, stream: Stream) {
    const { places } = this.#given
    connection.on('close', () => {
      stream.closed()
      places.leave(stream)
    })
  }

  /** The events that this request may get. */
  async admit(stream: Stream, asked: Asked): Promise<readonly string[]> {
    if (this.#closing)
      throw new ServiceUnavailableError({ message: 'The server is shutting down. Connect again.' })
    return this.#names.admit(stream, asked)
  }

  /** Changes the events of an open stream. The added ones begin after the place that it returns. */
  async change(...change: Parameters<StreamNames['change']>): Promise<Changed> {
    const { names, since } = await this.#names.change(...change)
    const id = this.#idOf(since)
    return { events: names, ...(id !== undefined && { id }) }
  }

  reauthorize(stream: Stream) {
    this.#names.reauthorize(stream)
  }

  /** The place where a stream continues, for the last id of its client. Undefined for a new one. */
  async resumption(lastId: string | undefined): Promise<Resumption | undefined> {
    if (!lastId) return undefined
    return (await this.#replays?.locate(lastId)) ?? { loss: 'unknown' }
  }

  /** The content of the first frame of a stream, and the id of the place where it begins. */
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

  /** Undefined if clients can't continue from it. */
  #idOf(seq: number) {
    return this.#replays && idOf({ epoch: this.fanOut.epoch, seq })
  }

  /**
   * From here on, it gets the emissions, after those that it has missed, unless it was ended since
   * its admission.
   */
  start(stream: Stream, { names, form, resumption }: Start) {
    refuseEnded(stream)
    const { clock, maxAge, open } = this.#given
    stream.isStarted = true
    stream.number = open.count()
    stream.openedAtMillis = clock.now().getTime()
    // A tenth of it is random, so that streams that came together do not reconnect together.
    stream.endsAtMillis = stream.openedAtMillis + maxAge * (1 - Math.random() / 10)
    const from = startOf(resumption)
    if (this.#closing) return stream.end('shutdown')
    // It is present even while it gets the emissions that it has missed.
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
      this.#given.log.error(
        { err: error },
        'a stream could not be given the events that it had missed',
      )
    }
  }

  forget(stream: Stream, reason: EndReason) {
    this.#presence?.forget(stream, reason)
    this.fanOut.remove(stream)
    this.#given.open.remove(stream)
  }

  /**
   * Resolves when all have ended, after the earlier emissions. From here on, new streams are
   * refused.
   */
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
      // Ending a stream costs far more than writing to it.
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
