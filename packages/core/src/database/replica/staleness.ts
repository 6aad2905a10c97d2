/** The position of the primary's log when it was asked, by the monotonic clock of this process. */
interface Mark {
  readonly atMillis: number
  readonly position: bigint
}

/**
 * Since when the replica may lack something. The primary is asked for the position of its log, and
 * then the replica how far it has replayed. Everything up to there, the replica had at the moment
 * of the mark. So no clock of another machine counts, and an idle primary, which commits nothing,
 * makes no replica look old.
 */
export class Staleness {
  #marks: Mark[] = []
  #currentAtMillis = -Infinity

  /** The primary's answer. */
  mark(position: bigint) {
    this.#marks.push({ atMillis: performance.now(), position })
  }

  /** The replica's answer after that. */
  replayed(position: bigint) {
    const reached = this.#marks.findLast((each) => each.position <= position)
    if (!reached) return
    this.#currentAtMillis = reached.atMillis
    this.#marks = this.#marks.filter((each) => each.position > position)
  }

  /** It does not answer, or is no longer a replica: nothing is known about it. */
  lose() {
    this.#marks = []
    this.#currentAtMillis = -Infinity
  }

  /** It has everything that was committed before that time. */
  get millis() {
    return performance.now() - this.#currentAtMillis
  }
}
