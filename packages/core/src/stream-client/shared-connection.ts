import { Connection, type Plan } from './connection.ts'
import { LastSeen } from './last-seen.ts'
import type { Arrival, Link, Listener, NameChange, Notice, StateChange } from './notice.ts'
import { isAskedFor, KnownPresence, toldIn } from './presence.ts'
import { TabChannel, type Word } from './tab-channel.ts'

// How long a new leader waits for the others' names: a message between tabs takes a few milliseconds.
const rollCallMillis = 50

/**
 * One connection for all tabs that ask for the same stream. The tab that gets the lock leads: it
 * holds the connection and passes messages on. When the tab closes, the browser gives the lock to
 * another one.
 */
export class SharedConnection implements Link {
  readonly #plan: Plan
  readonly #listener: Listener
  readonly #channel: TabChannel
  readonly #tab = crypto.randomUUID()
  readonly #leaving = new AbortController()
  readonly #wants = new Map<string, readonly string[]>()
  /** The leader's, or that of a tab that no longer shares. */
  #connection: Connection | undefined
  #requested: readonly string[] = []
  /** What the leader's connection has reported, for tabs that come later. */
  #present = new KnownPresence()
  #state: StateChange = { type: 'connecting', attempt: 0 }
  /**
   * This tab's own: each tab hears of the connection separately, and a new leader may have seen
   * less.
   */
  readonly #lastSeen = new LastSeen()
  #wasOpen = false

  constructor(plan: Plan, name: string, listener: Listener) {
    this.#plan = plan
    this.#listener = listener
    this.#channel = new TabChannel(name, (word) => this.#hear(word))
    this.#sayWant()
    navigator.locks
      .request(name, { signal: this.#leaving.signal }, () => this.#lead())
      // Some browsers refuse locks to frames of other sites.
      .catch(() => this.#part())
  }

  /** Other tabs may follow other names. So from here on, it has a connection of its own. */
  change(change: NameChange) {
    this.#part()
    return (this.#connection as Connection).change(change)
  }

  close() {
    this.#leave()
    this.#connection?.close()
  }

  #leave() {
    if (this.#leaving.signal.aborted) return
    this.#channel.say({ say: 'leave', tab: this.#tab })
    this.#leaving.abort()
    this.#channel.close()
  }

  /** From here on, it has a connection of its own. */
  #part() {
    if (this.#leaving.signal.aborted) return
    this.close()
    this.#connection = new Connection(this.#planOf(this.#plan.events), this.#listener)
  }

  #sayWant() {
    this.#channel.say({ say: 'want', tab: this.#tab, events: this.#plan.events })
  }

  /** Holds the lock until it resolves. */
  #lead() {
    const { signal } = this.#leaving
    return new Promise<void>((resolve) => {
      const rollCall = setTimeout(() => this.#connect(), rollCallMillis)
      const release = () => {
        clearTimeout(rollCall)
        resolve()
      }
      signal.addEventListener('abort', release)
      if (signal.aborted) release()
      else this.#channel.say({ say: 'who' })
    })
  }

  #connect() {
    this.#connection?.close()
    this.#requested = [...new Set([this.#plan.events, ...this.#wants.values()].flat())]
    const plan = this.#planOf(this.#requested)
    this.#present = new KnownPresence()
    this.#connection = new Connection(plan, (notice) => this.#pass(notice))
  }

  /** It continues from the place that this tab has reached. */
  #planOf(events: readonly string[]): Plan {
    return { ...this.#plan, events, lastEventId: this.#lastSeen.id, wasOpen: this.#wasOpen }
  }

  /** Passes on the state of the leader's connection. */
  #pass(notice: Notice) {
    if (notice.type !== 'closed') {
      this.#notePresence(notice)
      this.#channel.say({ say: 'notice', notice })
      return this.#tell(notice)
    }
    if (notice.error) {
      // One tab may ask for events that another one may not get: each must get the server's answer
      // for itself.
      this.#channel.say({ say: 'part' })
      return this.#part()
    }
    // It has given up, and no longer leads.
    this.close()
    this.#listener(notice)
  }

  #hear(word: Word) {
    if (word.say === 'who') this.#sayWant()
    else if (word.say === 'part') this.#part()
    else if (word.say === 'leave') this.#wants.delete(word.tab)
    else if (word.say === 'want') this.#admit(word.tab, word.events)
    else if (word.tab === undefined || word.tab === this.#tab) this.#tell(word.notice)
  }

  #admit(tab: string, events: readonly string[]) {
    this.#wants.set(tab, events)
    if (!this.#connection) return
    if (!events.every((name) => this.#requested.includes(name))) return this.#connect()
    for (const notice of forNewcomer(this.#state, this.#lastSeen.id)) {
      this.#channel.say({ say: 'notice', notice, tab })
    }
    for (const message of this.#present.messages()) {
      this.#channel.say({ say: 'notice', notice: { type: 'message', message }, tab })
    }
  }

  #notePresence(notice: Notice) {
    const told = notice.type === 'message' ? toldIn(notice.message, this.#requested) : undefined
    if (told) this.#present.take(told)
  }

  #tell(notice: Notice) {
    if (isArrival(notice)) return this.#receive(notice)
    this.#state = notice
    if (notice.type === 'open') this.#open(notice)
    else this.#listener(notice)
  }

  #open({ opened, id }: StateChange & { type: 'open' }) {
    const events = opened.events.filter((name) => this.#plan.events.includes(name))
    // The stream is open, but has no event for this tab. The server would have refused it.
    if (events.length === 0) return this.#part()
    this.#wasOpen = true
    // The leader may have seen more than this tab.
    const recovered = this.#lastSeen.begin(id, opened.recovered)
    this.#listener({ type: 'open', opened: { ...opened, events, recovered } })
  }

  /** Others may ask for more events than this tab. */
  #receive(notice: Arrival) {
    if (notice.type === 'messageError') return this.#listener(notice)
    if (notice.type === 'reached') return void this.#lastSeen.reach(notice.id)
    if (!this.#lastSeen.take(notice.id)) return
    if (notice.type === 'gap') return this.#listener(notice)
    // A leader of an earlier version of the page sends no other id.
    this.#lastSeen.reach(notice.message.id)
    if (isAskedFor(notice.message, this.#plan.events)) this.#listener(notice)
  }
}

function isArrival(notice: Notice): notice is Arrival {
  return ['message', 'gap', 'reached', 'messageError'].includes(notice.type)
}

/**
 * It is unknown what a tab has missed while it was not there. From here on it follows the others.
 * It may also be one that was there all the time and has seen more; the place alone does not move
 * it back.
 */
function forNewcomer(state: StateChange, id: string): Notice[] {
  if (state.type !== 'open') return [state]
  const opened: Notice = { type: 'open', opened: { events: state.opened.events, recovered: false } }
  return id === '' ? [opened] : [opened, { type: 'reached', id }]
}
