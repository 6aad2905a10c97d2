import type { HistoryOptions } from '../../events/contract.ts'
import type { Frame } from './frame.ts'

/** The last emissions of a router in this process, so that a client that was away for a moment misses none. */
export class History {
  readonly #options: HistoryOptions
  readonly #epoch: string
  #kept: { frame: Frame; at: number }[] = []
  /** The newest frame that is not kept any more. */
  #forgotten = 0

  constructor(options: HistoryOptions, epoch: string) {
    this.#options = options
    this.#epoch = epoch
  }

  add(frame: Frame) {
    this.#kept.push({ frame, at: performance.now() })
    // Not with each frame: dropping the oldest moves all the others.
    if (this.#kept.length >= 2 * this.#options.size) this.#dropOld()
  }

  /** Null when any of them is not kept any more, or when the id is from another process. */
  after(id: string): Frame[] | null {
    this.#dropOld()
    const [epoch, seq] = id.split('-')
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(seq ?? '')) return null
    const last = Number(seq)
    const newest = this.#kept.at(-1)?.frame.seq ?? this.#forgotten
    if (last < this.#forgotten || last > newest) return null
    return this.#kept.filter(({ frame }) => frame.seq > last).map(({ frame }) => frame)
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
