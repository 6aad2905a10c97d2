/** How far the primary's log had come when it was asked, by the clock of this process that only goes forward. */
interface Mark {
  readonly atMillis: number
  readonly position: bigint
}

/**
 * Since when the replica may lack something. The primary is asked how far its log is, and then the replica how far it
 * has replayed it: what the replica has replayed, it had at the moment of the mark. No clock of a machine counts, and an
 * idle primary, which commits nothing, makes no replica look old.
 */
export class Staleness {
  #marks: Mark[] = []
  #currentAtMillis = -Infinity

  /** What the primary said. */
  mark(position: bigint) {
    this.#marks.push({ atMillis: performance.now(), position })
  }

  /** What the replica said after that. */
  replayed(position: bigint) {
    const reached = this.#marks.findLast((each) => each.position <= position)
    if (!reached) return
    this.#currentAtMillis = reached.atMillis
    this.#marks = this.#marks.filter((each) => each.position > position)
  }

  /** It does not answer, or is no replica any more: nothing is known of it. */
  lose() {
    this.#marks = []
    this.#currentAtMillis = -Infinity
  }

  /** It has all that was committed so long ago. */
  get millis() {
    return performance.now() - this.#currentAtMillis
  }
}
