/**
 * An emission of this process, from its publication until its echo, or until no echo can come any
 * more.
 */
export class OwnEmission {
  readonly message: string
  /** The attempt whose outcome is reported to the breaker. */
  readonly attempt: number
  /** The look at which its state last changed. */
  since: number
  isPublished = false
  isWaiting = true
  isSettled = false
  /** When it was published. Set only if the server has an observer. */
  sentAt: number | undefined = undefined
  /** The handlers' work that is still running, if it was delivered without its echo. */
  handled: Promise<void> | undefined
  /** Resolves for the emitter. */
  readonly settled: Promise<void>
  #resolve: (handled: Promise<void> | undefined) => void = () => {}
  before: OwnEmission | undefined
  after: OwnEmission | undefined
  /** The next with the same text. */
  twin: OwnEmission | undefined
  lastTwin: OwnEmission = this

  constructor(message: string, { attempt, since }: { attempt: number; since: number }) {
    this.message = message
    this.attempt = attempt
    this.since = since
    this.settled = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  settle() {
    this.isSettled = true
    this.#resolve(this.handled)
  }
}

/** The emissions of this process that were not delivered here yet, in their order. */
export class OwnEmissions {
  /** The first one of each text: a message is the echo of the oldest one with its text. */
  readonly #byText = new Map<string, OwnEmission>()
  #oldest: OwnEmission | undefined
  #newest: OwnEmission | undefined

  add(emission: OwnEmission) {
    emission.before = this.#newest
    if (this.#newest) this.#newest.after = emission
    else this.#oldest = emission
    this.#newest = emission
    const first = this.#byText.get(emission.message)
    if (!first) {
      this.#byText.set(emission.message, emission)
      return
    }
    first.lastTwin.twin = emission
    first.lastTwin = emission
  }

  withText(message: string): OwnEmission | undefined {
    return this.#byText.get(message)
  }

  get oldest(): OwnEmission | undefined {
    return this.#oldest
  }

  remove(emission: OwnEmission) {
    const { before, after } = emission
    if (before) before.after = after
    else this.#oldest = after
    if (after) after.before = before
    else this.#newest = before
    emission.isWaiting = false
    this.#moveOn(emission.message)
  }

  /** Those in the middle are skipped when it is their turn. */
  #moveOn(text: string) {
    let first = this.#byText.get(text)
    if (!first || first.isWaiting) return
    const { lastTwin } = first
    while (first && !first.isWaiting) first = first.twin
    if (!first) {
      this.#byText.delete(text)
      return
    }
    first.lastTwin = lastTwin
    this.#byText.set(text, first)
  }
}
