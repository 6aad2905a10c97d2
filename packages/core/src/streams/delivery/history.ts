import type { HistoryOptions } from '../../events/contract.ts'
import type { Frame } from './frame.ts'

/**
 * The last emissions of a router in memory, so that a client that was away for a moment misses
 * none.
 */
export class History {
  readonly #options: HistoryOptions
  #kept: { frame: Frame; at: number }[] = []
  /** The newest frame that is no longer here. */
  #forgotten = 0

  constructor(options: HistoryOptions) {
    this.#options = options
  }

  /** Numbers are consecutive. */
  add(frame: Frame, at = performance.now()) {
    this.#kept.push({ frame, at })
    // Not with each frame: removing the oldest one moves all the others.
    if (this.#kept.length >= 2 * this.#options.size) this.#dropOld()
  }

  /** Starts again after this frame. */
  beginAfter(seq: number) {
    this.#kept = []
    this.#forgotten = seq
  }

  /** Whether everything after a frame is still here. */
  reachesTo(seq: number) {
    this.#dropOld()
    return seq >= this.#forgotten
  }

  /** Up to so many frames after one; null if the next of them is no longer here. */
  after(seq: number, count: number): Frame[] | null {
    if (seq < this.#forgotten) return null
    const first = this.#kept[0]?.frame.seq ?? 0
    const from = Math.max(0, seq + 1 - first)
    return this.#kept.slice(from, from + count).map(({ frame }) => frame)
  }

  #dropOld() {
    const oldest = performance.now() - this.#options.ttl
    const live = this.#kept.findIndex(({ at }) => at > oldest)
    const expired = live < 0 ? this.#kept.length : live
    this.#drop(Math.max(expired, this.#kept.length - this.#options.size))
  }

  #drop(count: number) {
    if (count <= 0) return
    this.#forgotten = this.#kept[count - 1]?.frame.seq ?? this.#forgotten
    this.#kept = this.#kept.slice(count)
  }
}
