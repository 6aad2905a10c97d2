import type { MetricsPart } from './messages.ts'

/** A gauge may take a second. A process that is busy for longer is left out. */
const patienceMillis = 2000

/** Waits for the metrics of each process, for a limited time. */
export class MetricsRound {
  readonly #parts: MetricsPart[] = []
  readonly #expected: number
  readonly #timer: NodeJS.Timeout
  #end: ((parts: readonly MetricsPart[]) => void) | undefined

  constructor(expected: number, end: (parts: readonly MetricsPart[]) => void) {
    this.#expected = expected
    this.#end = end
    this.#timer = setTimeout(() => this.#close(), patienceMillis)
  }

  add(place: number, text: string) {
    this.#parts.push({ place, text })
    if (this.#parts.length >= this.#expected) this.#close()
  }

  #close() {
    clearTimeout(this.#timer)
    this.#end?.(this.#parts.toSorted((one, other) => one.place - other.place))
    this.#end = undefined
  }
}
