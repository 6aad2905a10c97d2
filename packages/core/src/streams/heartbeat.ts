import type { Clock } from '../clock/clock.ts'
import type { Slices } from './delivery/slices.ts'
import type { Stream } from './delivery/stream.ts'

interface Given {
  readonly clock: Clock
  readonly slices: Slices
  readonly pingInterval: number
  readonly streams: () => readonly Stream[]
  /** The id that a stream has reached; undefined if clients can't continue from it. */
  readonly reachedBy: (stream: Stream) => string | undefined
}

/**
 * Pings streams, so that both sides notice a dead connection, and ends streams that are too old.
 */
export class Heartbeat {
  readonly #given: Given
  readonly #timer: NodeJS.Timeout
  #isPinging = false

  constructor(given: Given) {
    this.#given = given
    this.#timer = setInterval(() => this.#pingAll(), given.pingInterval).unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  #pingAll() {
    if (this.#isPinging) return
    this.#isPinging = true
    this.#given.slices.add(this.#pings())
  }

  *#pings(): Generator<undefined, void> {
    const { clock, streams, reachedBy } = this.#given
    const now = clock.now()
    for (const [at, stream] of streams().entries()) {
      if (now.getTime() >= stream.endsAtMillis) stream.end('aged')
      else if (stream.isOpen) stream.ping(now, reachedBy(stream))
      if (at % 64 === 63) yield
    }
    this.#isPinging = false
  }
}
