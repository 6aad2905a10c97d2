import { LastSeen } from './last-seen.ts'
import type { NameChange } from './notice.ts'
import { abortion, pause } from './pause.ts'
import { type Ask, without } from './source.ts'

const retryMillis = 3000

interface Open {
  readonly ask: Ask
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal
}

/** The names that a client follows, over one connection after the other. */
export class Following {
  /**
   * The names for the next connection. Only names that the server has accepted: for another one, it
   * could refuse the whole stream. Undefined if the client has never named anything.
   */
  names: readonly string[] | undefined
  /**
   * The place where each added channel begins: earlier messages of a history do not belong to it.
   */
  readonly #beginnings = new Map<string, LastSeen>()
  readonly #closing: AbortSignal
  #open = Promise.withResolvers<Open>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(names: readonly string[], closing: AbortSignal) {
    this.names = names.length > 0 ? names : undefined
    this.#closing = closing
  }

  /** Whether a message was sent after its channel was added. */
  takes(event: string, id: string | undefined) {
    return this.#beginnings.get(event)?.take(id) ?? true
  }

  opened(open: Open, isRecovered: boolean) {
    // Positions may have been assigned again.
    if (!isRecovered) this.#beginnings.clear()
    this.#open.resolve(open)
    open.signal.addEventListener('abort', () => {
      this.#open = Promise.withResolvers()
    })
  }

  /**
   * One after the other: otherwise the server could handle the later one first. Returns the names
   * that are followed then.
   */
  change(change: NameChange) {
    if (change.type === 'unsubscribe') this.names = without(this.names, change.names)
    const made = this.#last.then(() => this.#make(change))
    this.#last = made.catch(() => {})
    return made
  }

  async #make(change: NameChange): Promise<readonly string[]> {
    const { type, names } = change
    // A WebSocket refuses an empty change.
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
        // The server is busy, or the connection has ended without the client's knowledge. Then
        // another one follows.
        await pause(retryMillis, signal)
      }
    }
  }
}

/** The fields of an `HttpError`, and of a `NotFoundError`. */
interface Refusal {
  readonly status?: number
  readonly resource?: string
}
