import type { Frame, StreamForm } from './frame.ts'
import type { Selection } from './selection.ts'
import type { Slices } from './slices.ts'
import type { Stream } from './stream.ts'

// About 0.3 ms of writing between two looks at the clock.
const streamsPerStep = 32

/**
 * The streams that have asked for the same events in the same form: they share the bytes of a
 * write.
 */
export class Group {
  readonly key: string
  readonly names: readonly string[]
  readonly form: StreamForm
  readonly #selection: Selection
  readonly #slices: Slices
  readonly #streams: Stream[] = []
  #pending: Frame[] = []
  /** The frames that are being written: some of the streams have them already. */
  #current: Frame[] = []
  /** The newest frame that all of its streams have. */
  #reached = 0
  #delivering = false

  constructor(
    { key, names, form }: { key: string; names: readonly string[]; form: StreamForm },
    given: { selection: Selection; slices: Slices },
  ) {
    this.key = key
    this.names = names
    this.form = form
    this.#selection = given.selection
    this.#slices = given.slices
  }

  get size() {
    return this.#streams.length
  }

  /**
   * The position up to which its streams have everything, if this is the newest frame of the
   * router.
   */
  reached(newest: number) {
    return this.#delivering ? this.#reached : newest
  }

  /** A copy, because streams come and go during a loop over it. */
  streams() {
    return this.#streams.slice()
  }

  add(stream: Stream) {
    stream.place = this.#streams.push(stream) - 1
  }

  remove(stream: Stream) {
    const last = this.#streams.pop()
    if (!last || last === stream) return
    this.#streams[stream.place] = last
    last.place = stream.place
  }

  /** Frames of one turn are sent in one write. */
  push(frame: Frame) {
    this.#pending.push(frame)
    if (this.#delivering) return
    this.#delivering = true
    this.#reached = frame.seq - 1
    this.#slices.add(this.#deliver())
  }

  /** The frames that have not been written to a stream yet. */
  unsent(stream: Stream) {
    return this.#framesFor(stream, [...this.#current, ...this.#pending])
  }

  *#deliver(): Generator<undefined, void> {
    const frames = this.#pending
    this.#current = frames
    this.#pending = []
    const deliver = this.#delivery(frames)
    const streams = this.#candidates(frames)
    for (let at = 0; at < streams.length; at += streamsPerStep) {
      if (at > 0) yield
      deliver(streams.slice(at, at + streamsPerStep))
    }
    this.#current = []
    this.#reached = frames.at(-1)?.seq ?? this.#reached
    for (const { written } of frames) written?.()
    this.#delivering = this.#pending.length > 0
    // At the end of the queue, so that no group delays the others.
    if (this.#delivering) this.#slices.add(this.#deliver())
  }

  /** If every frame has recipients, the other streams are not even checked. */
  #candidates(frames: readonly Frame[]) {
    const subjects = frames.map((frame) => frame.subjects)
    if (subjects.includes(undefined)) return this.streams()
    const addressed = [...new Set(subjects.flatMap((each) => each ?? []))]
    const streams = addressed.flatMap((subject) => this.#selection.streamsOf(subject))
    return streams.filter((stream) => stream.home === this)
  }

  #delivery(frames: readonly Frame[]) {
    const oldest = frames[0]?.seq ?? 0
    const newest = frames.at(-1)?.seq ?? 0
    const isForAll = !frames.some((frame) => this.#selection.isSelective(frame))
    const bytesOf = this.#encodedOnce(frames)
    const isPlain = (stream: Stream) => isForAll && stream.since < oldest
    const deliver = (stream: Stream) => {
      const own = isPlain(stream) ? frames : this.#framesFor(stream, frames)
      // Never backwards: a stream that joined after later frames would get those again.
      if (newest > stream.since) stream.since = newest
      if (own.length > 0) stream.write(bytesOf(own), own.length)
    }
    return (streams: readonly Stream[]) => {
      // All streams are read before the first write, which empties the processor's cache: so slow
      // memory is waited for once, not for each stream.
      const isCalm = streams.every((stream) => isPlain(stream) && stream.waitingBytes === 0)
      const bytes = isCalm ? bytesOf(frames) : undefined
      for (const stream of streams) {
        if (stream.home !== this) continue
        if (!bytes) deliver(stream)
        else {
          stream.since = newest
          stream.write(bytes, frames.length)
        }
      }
    }
  }

  /**
   * A stream that joined after a frame was emitted does not get it, even if it is there when the
   * frame is written.
   */
  #framesFor(stream: Stream, frames: readonly Frame[]): readonly Frame[] {
    const own = frames.filter(
      (frame) => frame.seq > stream.since && this.#selection.isFor(frame, stream),
    )
    return own.length === frames.length ? frames : own
  }

  /** Streams that get the same frames get the same bytes. */
  #encodedOnce(frames: readonly Frame[]) {
    let whole: Buffer | undefined
    const parts = new Map<string, Buffer>()
    return (own: readonly Frame[]) => {
      if (own === frames) return (whole ??= this.form.encode(frames))
      const key = own.map(({ seq }) => seq).join()
      const bytes = parts.get(key) ?? this.form.encode(own)
      parts.set(key, bytes)
      return bytes
    }
  }
}
