import { performance } from 'node:perf_hooks'

// A part of the 10 ms for which other work may be delayed. The rest is for the last step of a
// slice, and for the engine's own work.
const sliceMillis = 3

/**
 * Does long work a few steps at a time, so that requests and sockets get their turn in between.
 * Work is a generator: a step is the code between two yields, and begins in a later turn than the
 * one that added it.
 */
export class Slices {
  readonly #work: Iterator<void>[] = []
  #scheduled = false

  add(work: Iterator<void>) {
    this.#work.push(work)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#run)
  }

  readonly #run = () => {
    const end = performance.now() + sliceMillis
    while (this.#work.length > 0) {
      if (this.#work[0]?.next().done) this.#work.shift()
      if (performance.now() >= end) break
    }
    this.#scheduled = this.#work.length > 0
    if (this.#scheduled) setImmediate(this.#run)
  }
}
