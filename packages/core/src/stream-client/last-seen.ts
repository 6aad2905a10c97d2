// An id of our servers: an epoch and a position. Within one epoch, positions are in order.
const ordered = /^([^-]+)-(\d{1,15})$/

/** The place that a client has reached, so that it gets no message twice. */
export class LastSeen {
  #id: string

  constructor(id = '') {
    this.#id = id
  }

  /** The id after which a stream should continue. Empty if no message with an id has arrived. */
  get id() {
    return this.#id
  }

  /** Whether this message is new. It always is without an id, or with an id of another form. */
  take(id: string | undefined): boolean {
    if (this.#hasPassed(id)) return false
    this.reach(id)
    return true
  }

  /** Moves forward to a place of the stream. Returns whether it has moved. */
  reach(id: string | undefined): boolean {
    if (id === undefined || id === this.#id || this.#hasPassed(id)) return false
    this.#id = id
    return true
  }

  /**
   * Continues with a stream that begins after this id. Returns whether nothing is missing in
   * between. A stream that is not recovered may begin before the last message: after a database is
   * restored from a copy, positions are assigned again.
   */
  begin(id: string | undefined, isRecovered: boolean): boolean {
    const isKnown = id === undefined || id === this.#id || this.#hasPassed(id)
    if (isRecovered && this.#id !== '' && isKnown) return true
    this.#id = id ?? this.#id
    return false
  }

  #hasPassed(id = '') {
    const [, epoch, position] = ordered.exec(id) ?? []
    const [, ownEpoch, ownPosition] = ordered.exec(this.#id) ?? []
    return epoch !== undefined && epoch === ownEpoch && Number(position) <= Number(ownPosition)
  }
}
