import { setTimeout as wait } from 'node:timers/promises'
import type { Loss, RouterLog } from '../../event-log/event-log.ts'
import type { HistoryOptions } from '../../events/contract.ts'
import type { FanOut } from './fan-out.ts'
import { type Frame, isAbout, type StreamForm } from './frame.ts'
import type { History } from './history.ts'
import type { Stream } from './stream.ts'

/** The place where a reconnecting client continues, or why it can't. */
export type Resumption = { readonly from: number } | { readonly loss: Loss }

interface Given {
  readonly fanOut: FanOut
  readonly options: HistoryOptions
  /** The emissions in memory. */
  readonly history: History
  /** The older emissions; undefined if there is only the memory of this process. */
  readonly log: RouterLog | undefined
}

interface Replay {
  readonly stream: Stream
  readonly form: StreamForm
  readonly from: number
  names: readonly string[]
  /** Asks which events it may still get, if that may have changed. */
  readonly askAgain: (names: readonly string[]) => Promise<readonly string[]>
}

interface Running {
  readonly replay: Pick<Replay, 'names'>
  readonly settled: PromiseWithResolvers<void>
}

/**
 * The frames of one write. Streams that missed the same frames share its bytes, because writes end
 * at multiples of this.
 */
const framesPerWrite = 64

/** After so many writes, other streams have their turn. */
const writesPerTurn = 16

/**
 * A client that reads nothing for this long is cut off, and so is one whose frames can't be loaded.
 */
const patienceMillis = 30_000

/** Reconnected streams, which get first what they have missed and then the present emissions. */
export class Replays {
  readonly #running = new Map<Stream, Running>()
  readonly #given: Given
  readonly #shared = new SharedWrites()

  constructor(given: Given) {
    this.#given = given
  }

  get streams(): Iterable<Stream> {
    return this.#running.keys()
  }

  /** The events that it should get. */
  namesOf(stream: Stream) {
    return this.#running.get(stream)?.replay.names
  }

  /** Resolves when the stream gets the present emissions. */
  settled(stream: Stream) {
    return this.#running.get(stream)?.settled.promise
  }

  /** Finds the place for the last id of a client. */
  async locate(id: string): Promise<Resumption> {
    const { fanOut, history, log } = this.#given
    const [epoch, digits = ''] = id.split('-')
    if (!/^\d{1,15}$/.test(digits)) return { loss: 'unknown' }
    const from = Number(digits)
    // Another instance may have been faster.
    if (log && epoch === fanOut.epoch && from > fanOut.seq) await log.catchUp()
    if (epoch !== fanOut.epoch || from > fanOut.seq) return { loss: 'unknown' }
    if (history.reachesTo(from)) return { from }
    return log && (await this.#isKept(log, from)) ? { from } : { loss: 'expired' }
  }

  async #isKept(log: RouterLog, from: number) {
    const { fanOut, options } = this.#given
    if (from < fanOut.seq - options.size) return false
    const [next] = (await log.after(from, 1)) ?? []
    return next !== undefined && next.emittedAt > performance.now() - options.ttl
  }

  /**
   * Resolves when the stream has got everything that it missed and gets the present emissions; or
   * when it has ended.
   */
  async run(replay: Replay) {
    const { stream } = replay
    const running = { replay, settled: Promise.withResolvers<void>() }
    this.#running.set(stream, running)
    try {
      await this.#write(replay)
      if (stream.isOpen) this.#given.fanOut.add(stream, replay.names, replay.form)
    } finally {
      this.#running.delete(stream)
      running.settled.resolve()
    }
  }

  async #write(replay: Replay) {
    const { stream } = replay
    const { fanOut } = this.#given
    let position = replay.from
    for (let writes = 1; position < fanOut.seq && stream.isOpen; writes++) {
      if (stream.isStale) replay.names = await replay.askAgain(replay.names)
      const next = this.#next(position, stream)
      // If nothing has to be waited for, all is written in this turn.
      const frames = next instanceof Promise ? await next : next
      if (!frames) return
      position = frames.at(-1)?.seq ?? fanOut.seq
      this.#writeFrames(replay, frames)
      if (stream.waitingBytes > 0) await taken(stream)
      else if (writes % writesPerTurn === 0) await wait(0)
    }
  }

  /** The next frames. None if they are lost, and then the stream has ended. */
  #next(
    position: number,
    stream: Stream,
  ): readonly Frame[] | Promise<readonly Frame[] | undefined> {
    const count = framesPerWrite - (position % framesPerWrite)
    return this.#given.history.after(position, count) ?? this.#fromLog(position, count, stream)
  }

  async #fromLog(position: number, count: number, stream: Stream) {
    const { log, fanOut } = this.#given
    const end = performance.now() + patienceMillis
    while (stream.isOpen && performance.now() < end) {
      const logged = log ? await log.after(position, count).catch(() => undefined) : null
      if (logged) return logged.map((each) => fanOut.frameOf(each))
      if (logged === null) break
      // The database does not answer.
      await wait(250)
    }
    // The client reconnects, and is then told.
    stream.end('overflow')
    return undefined
  }

  #writeFrames({ stream, names, form }: Replay, frames: readonly Frame[]) {
    const { selection } = this.#given.fanOut
    const own = frames.filter((frame) => isAbout(frame, names) && selection.isFor(frame, stream))
    if (!stream.isOpen || own.length === 0) return
    const isForAll = !own.some((frame) => selection.isSelective(frame))
    const bytes = isForAll ? this.#shared.bytesOf(own, names, form) : form.encode(own)
    stream.write(bytes, own.length)
  }
}

/** After a restart, all streams miss the same: their writes are encoded once. */
class SharedWrites {
  readonly #known = new Map<string, Buffer>()

  bytesOf(frames: readonly Frame[], names: readonly string[], form: StreamForm) {
    const [first] = frames
    const key = [form.name, first?.epoch, first?.seq, frames.at(-1)?.seq, ...names].join('\n')
    const bytes = this.#known.get(key) ?? form.encode(frames)
    this.#known.set(key, bytes)
    for (const [oldest] of this.#known) {
      if (this.#known.size <= 64) break
      this.#known.delete(oldest)
    }
    return bytes
  }
}

/** Resolves when its client has read what was written to it. */
async function taken(stream: Stream) {
  const end = performance.now() + patienceMillis
  for (let pause = 1; stream.isOpen && stream.waitingBytes > 0; pause = Math.min(pause * 2, 50)) {
    if (performance.now() > end) return stream.end('overflow')
    await wait(pause)
  }
}
