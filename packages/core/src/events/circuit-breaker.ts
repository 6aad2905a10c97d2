const mostFailures = 3
const openMillis = 10_000

/**
 * Says whether a thing that has failed of late is worth another try. It opens after three failures in a row, or one
 * that took all of its time; after 10 s, or when the thing is known to be back, one attempt is let through, which
 * closes it or keeps it open.
 */
export class CircuitBreaker {
  #failures = 0
  /** Attempts of an earlier turn no longer count: they began before it opened. */
  #turn = 1
  #openUntil: number | undefined

  /** Nothing is tried, or one attempt alone. */
  get isOpen() {
    return this.#openUntil !== undefined
  }

  /** What to report the outcome with; null when nothing should be tried. */
  attempt(): number | null {
    if (this.#openUntil === undefined) return this.#turn
    if (performance.now() < this.#openUntil) return null
    return this.#nextTurn()
  }

  succeeded(attempt: number) {
    if (attempt !== this.#turn) return
    this.#failures = 0
    this.#openUntil = undefined
  }

  failed(attempt: number) {
    if (attempt !== this.#turn) return
    this.#failures += 1
    if (this.#openUntil !== undefined || this.#failures >= mostFailures) this.#nextTurn()
  }

  timedOut(attempt: number) {
    if (attempt === this.#turn) this.#nextTurn()
  }

  /** The next attempt need not wait: what had failed is there again. */
  retryNow() {
    if (this.#openUntil !== undefined) this.#openUntil = performance.now()
  }

  #nextTurn() {
    this.#failures = 0
    this.#openUntil = performance.now() + openMillis
    this.#turn += 1
    return this.#turn
  }
}
