// Of our servers: an epoch, and a position. Within one epoch, positions are in order.
const ordered = /^([^-]+)-(\d{1,15})$/

/** How far a client has got, so that it gets no message twice. */
export class LastSeen {
  #id: string

  constructor(id = '') {
    this.#id = id
  }

  /** What a stream is asked to go on behind. Empty where nothing was seen that has an id. */
  get id() {
    return this.#id
  }

  /** Whether this message is new. Without an id, or with one of another form, it always is. */
  take(id: string | undefined): boolean {
    if (this.#hasPassed(id)) return false
    this.reach(id)
    return true
  }

  /** Moves forward to a place of the stream. Answers whether it has moved. */
  reach(id: string | undefined): boolean {
    if (id === undefined || id === this.#id || this.#hasPassed(id)) return false
    this.#id = id
    return true
  }

  /**
   * Goes on with a stream that opens behind this id. Answers whether nothing lies between. One that is not recovered may
   * begin before what was seen: after a database is restored from a copy, positions are given again.
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
