const mostFailures = 3
const openMillis = 10_000

/**
 * Says whether it makes sense to try again after failures. It opens after three failures in a row,
 * or after one that took all of its time. After 10 s, or when the dependency is known to be back,
 * it allows one attempt, which closes it or keeps it open.
 */
export class CircuitBreaker {
  #failures = 0
  /** Attempts of an earlier turn no longer count: they began before it opened. */
  #turn = 1
  #openUntil: number | undefined

  /** No attempt is allowed, or only one. */
  get isOpen() {
    return this.#openUntil !== undefined
  }

  /** Returns the attempt to report the outcome with; null if nothing should be tried. */
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

  /** The next attempt need not wait: the dependency is back. */
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
