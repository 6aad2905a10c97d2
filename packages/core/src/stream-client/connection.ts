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
  /** Where an earlier connection got to. */
  readonly lastEventId?: string
  /** Whether an earlier connection was ever open. */
  readonly wasOpen?: boolean
}

// A token may have expired on its way; when three fresh ones in a row do not help, that was not why.
const freshTokens = 3

/** One connection after the other, until it is closed, the server refuses, or the attempts are used up. */
export class Connection implements Link {
  readonly #plan: Plan
  readonly #listener: Listener
  readonly #closing = new AbortController()
  readonly #watchdog = new Watchdog()
  readonly #lastSeen: LastSeen
  readonly #following: Following
  #retryMillis: number | undefined
  #wasOpen: boolean
  /** Those since it was last open. */
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

  /** What a connection that was closed still brings is dropped (E-087). */
  #tell(notice: Notice) {
    if (!this.#closing.signal.aborted) this.#listener(notice)
  }

  async #run() {
    // Nothing is told, and no token fetched, before the maker of this has it in hand and may have closed it again.
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
      // What is left of it, such as an answer that nothing reads.
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
    // Where the stream has been before, its address is right: a captive portal or a page of a proxy goes by.
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
    // A stream's `retry` is a moment of its client's own; a busy server tells all of them the same.
    const wait = this.#retryMillis ?? Math.max(delay, retryMillis + delay / 2)
    this.#retryMillis = undefined
    await pause(wait, this.#closing.signal)
  }
}

function isDrop({ verdict }: End) {
  return verdict === 'drop' || verdict === 'stranger'
}

/** How an attempt ends that threw. Sources throw no refusals: these are of the token (E-090). */
function endBy(error: unknown): End {
  if (!(error instanceof HttpError)) return drop('The connection broke.', error)
  const isRefused = error.status === 401 || error.status === 403
  return { verdict: isRefused ? 'refused' : 'drop', error }
}
