import { HttpError } from '../errors/errors.ts'
import { Following } from './following.ts'
import { LastSeen } from './last-seen.ts'
import type { Link, Listener, NameChange, Notice } from './notice.ts'
import { abortion, delayBefore, isOffline, pause } from './pause.ts'
import { drop, type End, type Source, type SourceListener } from './source.ts'
import { Watchdog } from './watchdog.ts'

export interface Plan {
  readonly source: Source
  readonly events: readonly string[]
  readonly acquireToken: (() => Promise<string>) | undefined
  readonly reconnect: boolean
  readonly reconnectDelay: number
  readonly maxReconnectAttempts: number
  /** The place that an earlier connection reached. */
  readonly lastEventId?: string
  /** Whether an earlier connection was ever open. */
  readonly wasOpen?: boolean
}

// A token may have expired on its way. If three new ones in a row do not help, that was not the
// reason.
const freshTokens = 3

/**
 * One connection after the other, until it is closed, the server refuses, or the attempts are used
 * up.
 */
export class Connection implements Link {
  readonly #plan: Plan
  readonly #listener: Listener
  readonly #closing = new AbortController()
  readonly #watchdog = new Watchdog()
  readonly #lastSeen: LastSeen
  readonly #following: Following
  #retryMillis: number | undefined
  #wasOpen: boolean
  /** The attempts since it was last open. */
  #attempts = 0
  #offlineAttempts = 0
  #tokensRefused = 0

  constructor(plan: Plan, listener: Listener) {
    this.#plan = plan
    this.#listener = listener
    this.#lastSeen = new LastSeen(plan.lastEventId)
    this.#following = new Following(plan.events, this.#closing.signal)
    this.#wasOpen = plan.wasOpen ?? false
    void this.#run()
  }

  change(change: NameChange) {
    return this.#following.change(change)
  }

  close() {
    this.#closing.abort()
  }

  /** Messages of a closed connection are dropped (E-087). */
  #tell(notice: Notice) {
    if (!this.#closing.signal.aborted) this.#listener(notice)
  }

  async #run() {
    // Nothing is reported, and no token fetched, before the caller has this object and may have
    // closed it again.
    await Promise.resolve()
    if (this.#closing.signal.aborted) return
    this.#tell({ type: 'connecting', attempt: 0 })
    for (;;) {
      const end = await this.#attempt()
      const { error } = end
      if (this.#isFinal(end)) return this.#tell({ type: 'closed', ...(error && { error }) })
      this.#tell({ type: 'error', ...(error && isDrop(end) && { error }) })
      if (!this.#mayTryAgain()) return this.#tell({ type: 'closed' })
      await this.#pause(end)
      if (this.#closing.signal.aborted) return
      this.#tell({ type: 'connecting', attempt: this.#attempts })
    }
  }

  async #attempt(): Promise<End> {
    const { source, acquireToken } = this.#plan
    const events = this.#following.names
    const ending = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, ending.signal])
    this.#watchdog.watch({ isPinged: source.isPinged, onSilence: () => ending.abort() })
    try {
      const token = await Promise.race([acquireToken?.(), abortion(signal)])
      const attempt = { events, token, lastEventId: this.#lastSeen.id, signal }
      return await source.run(attempt, this.#sourceListener(signal))
    } catch (error) {
      return endBy(error)
    } finally {
      this.#watchdog.stop()
      // Ends the rest of it, such as an answer that is not read.
      ending.abort()
    }
  }

  #sourceListener(signal: AbortSignal): SourceListener {
    return {
      heard: () => this.#watchdog.heard(),
      pinged: () => this.#watchdog.pinged(),
      opened: (opened, ask, id) => {
        this.#attempts = 0
        this.#offlineAttempts = 0
        this.#tokensRefused = 0
        this.#wasOpen = true
        this.#lastSeen.begin(id, opened.recovered)
        this.#tell({ type: 'open', opened, id })
        this.#following.opened({ ask, signal }, opened.recovered)
      },
      message: (message, id) => {
        const isNew = this.#lastSeen.take(id) && this.#following.takes(message.event, id)
        if (isNew) this.#tell({ type: 'message', message, id })
      },
      gap: (gap, id) => {
        if (this.#lastSeen.take(id)) this.#tell({ type: 'gap', gap, id })
      },
      messageError: (error) => this.#tell({ type: 'messageError', error }),
      reached: ({ lastEventId, retryMillis }) => {
        if (this.#lastSeen.reach(lastEventId)) this.#tell({ type: 'reached', id: lastEventId })
        this.#retryMillis = retryMillis
      },
    }
  }

  #isFinal({ verdict }: End) {
    // If the stream was open before, its address is right. Then a captive portal or an error page
    // of a proxy has answered, and that passes.
    if (verdict === 'stranger') return !this.#wasOpen
    if (verdict !== 'unauthorized') return verdict === 'refused' || verdict === 'over'
    const { acquireToken, reconnect } = this.#plan
    return !acquireToken || !reconnect || ++this.#tokensRefused > freshTokens
  }

  #mayTryAgain() {
    const { reconnect, maxReconnectAttempts: limit } = this.#plan
    return reconnect && (limit === 0 || this.#attempts - this.#offlineAttempts < limit)
  }

  async #pause({ retryMillis = 0 }: End) {
    this.#attempts += 1
    if (isOffline()) this.#offlineAttempts += 1
    const delay = delayBefore(this.#attempts, this.#plan.reconnectDelay)
    // A stream's `retry` is for its own client. A busy server sends the same time to all of them.
    const wait = this.#retryMillis ?? Math.max(delay, retryMillis + delay / 2)
    this.#retryMillis = undefined
    await pause(wait, this.#closing.signal)
  }
}

function isDrop({ verdict }: End) {
  return verdict === 'drop' || verdict === 'stranger'
}

/**
 * How an attempt ended that threw. Sources throw no refusals: these belong to the token (E-090).
 */
function endBy(error: unknown): End {
  if (!(error instanceof HttpError)) return drop('The connection broke.', error)
  const isRefused = error.status === 401 || error.status === 403
  return { verdict: isRefused ? 'refused' : 'drop', error }
}
