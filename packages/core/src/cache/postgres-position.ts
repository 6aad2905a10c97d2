/** How long a row may take from its id to its commit. */
const patienceMillis = 5000

/** After a jump of the sequence, most of the missing ids will never come. */
const mostMissing = 10_000

/**
 * The position up to which messages were read. Ids are assigned before their rows are committed, so
 * a skipped one may still come. It is looked for again for a while.
 */
export class Position {
  #last: number
  readonly #missingSince = new Map<number, number>()

  constructor(last: number) {
    this.#last = last
  }

  get last() {
    return this.#last
  }

  missing(now = performance.now()) {
    for (const [id, since] of this.#missingSince) {
      if (now - since < patienceMillis) break
      this.#missingSince.delete(id)
    }
    return [...this.#missingSince.keys()]
  }

  /** Notes that a row was read, and which ids before it were skipped. */
  pass(id: number, now = performance.now()) {
    if (this.#missingSince.delete(id) || id <= this.#last) return
    const first = Math.max(this.#last + 1, id - mostMissing)
    for (let skipped = first; skipped < id; skipped++) this.#missingSince.set(skipped, now)
    this.#last = id
    this.#forgetOldest()
  }

  #forgetOldest() {
    let excess = this.#missingSince.size - mostMissing
    for (const id of this.#missingSince.keys()) {
      if (excess-- <= 0) return
      this.#missingSince.delete(id)
    }
  }
}
