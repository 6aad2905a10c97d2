const shortestPatienceMillis = 30_000
const longestPatienceMillis = 600_000

interface Watched {
  /** Silence counts from the start; otherwise from the first ping. */
  isPinged: boolean
  onSilence: () => void
}

/**
 * Notices a dead connection: a peer that vanished sends no error. The server decides how often it
 * pings, so this is learned from the pings, and remembered for the next connection.
 */
export class Watchdog {
  #patienceMillis = shortestPatienceMillis
  #watched: Watched | undefined
  #heardAt = 0
  #pingedAt: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  watch(watched: Watched) {
    this.stop()
    this.#watched = watched
    this.#heardAt = performance.now()
    this.#pingedAt = undefined
    if (watched.isPinged) this.#wait(this.#patienceMillis)
  }

  heard() {
    this.#heardAt = performance.now()
  }

  pinged() {
    const now = performance.now()
    const gap = now - (this.#pingedAt ?? now)
    this.#pingedAt = now
    this.#heardAt = now
    // A gap longer than the limit means that this machine slept.
    if (gap < this.#patienceMillis) this.#beMorePatient(gap * 3)
    if (this.#timer === undefined) this.#wait(this.#patienceMillis)
  }

  stop() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#watched = undefined
  }

  #beMorePatient(millis: number) {
    this.#patienceMillis = Math.min(Math.max(this.#patienceMillis, millis), longestPatienceMillis)
  }

  // One timer that checks the clock, instead of a new one for every message.
  #wait(millis: number) {
    this.#timer = setTimeout(() => {
      const left = this.#heardAt + this.#patienceMillis - performance.now()
      if (left > 0) return this.#wait(left)
      const { onSilence } = this.#watched ?? {}
      this.stop()
      // If pings are further apart than this, none has arrived yet to learn from.
      this.#beMorePatient(this.#patienceMillis * 2)
      onSilence?.()
    }, millis)
  }
}
