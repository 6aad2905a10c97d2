import { LastSeen } from './last-seen.ts'
import type { NameChange } from './notice.ts'
import { abortion, pause } from './pause.ts'
import { type Ask, without } from './source.ts'

const retryMillis = 3000

interface Open {
  readonly ask: Ask
  /** Is aborted as the connection ends. */
  readonly signal: AbortSignal
}

/** What a client follows, over one connection after the other. */
export class Following {
  /**
   * What the next connection asks for: names that the server has taken, because with another it could refuse the whole
   * stream. Undefined where the client has never named anything.
   */
  names: readonly string[] | undefined
  /** Where channels begin that were added: what a history has of the time before is not theirs. */
  readonly #beginnings = new Map<string, LastSeen>()
  readonly #closing: AbortSignal
  #open = Promise.withResolvers<Open>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(names: readonly string[], closing: AbortSignal) {
    this.names = names.length > 0 ? names : undefined
    this.#closing = closing
  }

  /** Whether a message is of the time since its channel was added. */
  takes(event: string, id: string | undefined) {
    return this.#beginnings.get(event)?.take(id) ?? true
  }

  opened(open: Open, isRecovered: boolean) {
    // Positions may have been given again.
    if (!isRecovered) this.#beginnings.clear()
    this.#open.resolve(open)
    open.signal.addEventListener('abort', () => {
      this.#open = Promise.withResolvers()
    })
  }

  /** One after the other: of two, the server could take the later one first. Answers what comes then. */
  change(change: NameChange) {
    if (change.type === 'unsubscribe') this.names = without(this.names, change.names)
    const made = this.#last.then(() => this.#make(change))
    this.#last = made.catch(() => {})
    return made
  }

  async #make(change: NameChange): Promise<readonly string[]> {
    const { type, names } = change
    // A WebSocket takes no empty change.
    if (names.length === 0) return []
    for (;;) {
      const { ask, signal } = await Promise.race([this.#open.promise, abortion(this.#closing)])
      try {
        const { events, id } = await Promise.race([ask(change), abortion(signal)])
        const added = type === 'subscribe' ? names.filter((name) => events.includes(name)) : []
        for (const name of without(added, this.names)) this.#beginnings.set(name, new LastSeen(id))
        this.names = [...without(this.names, names), ...added]
        return events
      } catch (error) {
        const { status = 500, resource } = error as Refusal
        if (status < 500 && status !== 429 && resource !== 'Stream') throw error
        // The server is busy, or the connection has ended, of which the client may not know yet: then another follows.
        await pause(retryMillis, signal)
      }
    }
  }
}

/** What an `HttpError` has, and a `NotFoundError`. */
interface Refusal {
  readonly status?: number
  readonly resource?: string
}
