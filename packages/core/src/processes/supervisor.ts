import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../observation/observation.ts'
import { isMessage, type Message, supervised } from './messages.ts'
import { MetricsRound } from './metrics-round.ts'

/**
 * A process that ends sooner may do so again and again: its replacements start after growing
 * pauses.
 */
const steadyMillis = 10_000
const longestPauseMillis = 30_000

interface Given {
  count: number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

interface Member {
  readonly place: number
  readonly worker: Worker
  readonly sinceMillis: number
  isReady: boolean
}

/**
 * Runs this program in several processes that share one port, and replaces each one that ends. It
 * serves nothing itself, and ends with them.
 */
export function superviseProcesses(given: Given): Promise<never> {
  new Supervisor(given).start()
  return new Promise<never>(() => {})
}

class Supervisor {
  readonly #given: Given
  readonly #members = new Map<number, Member>()
  readonly #rounds = new Map<number, MetricsRound>()
  /** How often in a row the process of a place has ended early. */
  readonly #failures = new Map<number, number>()
  #ending: 'no' | 'in order' | 'at once' = 'no'
  #wasReady = false
  #exitCode = 0

  constructor(given: Given) {
    this.#given = given
  }

  /** The first one starts alone: it migrates, and a problem is reported once. */
  start() {
    process.on('SIGTERM', () => this.#end()).on('SIGINT', () => this.#end())
    this.#launch(1)
  }

  #launch(place: number) {
    const { count } = this.#given
    // `auto` is resolved once, so that all of them use the same number.
    const worker = cluster.fork({ SVC_PROCESSES: `${count}`, [supervised]: 'yes' })
    const member = { place, worker, sinceMillis: performance.now(), isReady: false }
    this.#members.set(place, member)
    worker.on('message', (message: unknown) => {
      if (isMessage(message)) this.#hear(member, message)
    })
    worker.on('exit', (code, signal) => this.#gone(member, signal ?? code))
    // If it could not be started, for example at a limit of processes, it never ends. Without a
    // listener, this process would end, and with it the ones that serve.
    worker.on('error', (error) => this.#gone(member, error.message))
  }

  #hear(member: Member, message: Message) {
    if (message.svc === 'ready') this.#ready(member)
    if (message.svc === 'metrics wanted') this.#gatherMetrics(member, message.by)
    if (message.svc === 'metrics of one') {
      this.#rounds.get(message.round)?.add(member.place, message.text)
    }
  }

  #ready(member: Member) {
    // Messages and signals may cross: processes that start now would not be told to end.
    if (this.#ending !== 'no') return
    member.isReady = true
    const { count, log } = this.#given
    if (!this.#wasReady) {
      this.#wasReady = true
      for (let place = 2; place <= count; place += 1) this.#tryToLaunch(place)
    }
    const ready = [...this.#members.values()].filter(({ isReady }) => isReady)
    if (ready.length === count) log.info({ processes: count }, 'all processes serve')
  }

  #gone(member: Member, how: number | string) {
    const { place, sinceMillis, isReady } = member
    if (this.#members.get(place) !== member) return
    this.#members.delete(place)
    if (this.#ending !== 'no') {
      // One that has not started yet ends by the signal itself, and loses nothing.
      const hasEndedInOrder = how === 0 || (how === 'SIGTERM' && !isReady)
      if (!hasEndedInOrder) this.#exitCode = 1
      if (this.#members.size === 0) process.exit(this.#exitCode)
      return
    }
    // A failed start has said why. The program that started this one must learn it, as with one
    // process.
    if (!isReady && this.#members.size === 0) process.exit(1)
    this.#tryAgain(place, how, performance.now() - sinceMillis > steadyMillis)
  }

  /**
   * Node may throw instead of reporting an error, for example without memory for another process.
   */
  #tryToLaunch(place: number) {
    try {
      this.#launch(place)
    } catch (error) {
      this.#tryAgain(place, error instanceof Error ? error.message : 'not started', false)
    }
  }

  #tryAgain(place: number, how: number | string, isSteady: boolean) {
    const failures = isSteady ? 0 : (this.#failures.get(place) ?? 0) + 1
    this.#failures.set(place, failures)
    const pauseMillis = failures < 2 ? 0 : Math.min(longestPauseMillis, 500 * 2 ** (failures - 1))
    const { log } = this.#given
    log.error({ process: place, how, pauseMillis }, 'a process ended, another one takes its place')
    void this.#replace(place, pauseMillis)
  }

  async #replace(place: number, pauseMillis: number) {
    await wait(pauseMillis)
    if (this.#ending === 'no') this.#tryToLaunch(place)
  }

  /** The second time, at once. */
  #end() {
    this.#ending = this.#ending === 'no' ? 'in order' : 'at once'
    const signal = this.#ending === 'in order' ? 'SIGTERM' : 'SIGKILL'
    if (this.#members.size === 0) process.exit(1)
    for (const { worker } of this.#members.values()) worker.process.kill(signal)
  }

  #gatherMetrics(asker: Member, by: number) {
    const members = [...this.#members.values()].filter(({ isReady }) => isReady)
    const number = Math.max(0, ...this.#rounds.keys()) + 1
    const round = new MetricsRound(members.length, (parts) => {
      this.#rounds.delete(number)
      tell(asker, { svc: 'metrics of all', by, parts })
    })
    this.#rounds.set(number, round)
    for (const member of members) tell(member, { svc: 'metrics asked', round: number })
  }
}

function tell({ worker }: Member, message: Message) {
  // One that has ended meanwhile has no channel any more.
  if (worker.isConnected()) worker.send(message, () => {})
}
