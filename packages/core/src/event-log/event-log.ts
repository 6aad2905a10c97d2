import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../cache/cache.ts'
import type { Database } from '../database/server.ts'
import type { EventRouter } from '../events/contract.ts'
import type { EmittedEvent, EventRecorder, HandBack } from '../events/events.ts'
import type { Log, Observer } from '../observation/observation.ts'
import { LogConnection } from './log-connection.ts'
import { type KeptRouter, Recorder } from './recorder.ts'
import { RouterLog } from './router-log.ts'
import type { RouterNumber } from './statements.ts'

export type { LoggedEvent, Loss, RouterLog } from './router-log.ts'

interface Needs {
  readonly database: Database
  readonly cache: Pick<Cache, 'shared'>
  readonly log: Log
  readonly observer?: Observer | undefined
}

/** The pause between ticks and reads of one instance, so that many commits share them. */
const betweenLooksMillis = 10

/**
 * By then, emissions are found that were not announced: their process ended between commit and
 * tick, or a message was lost.
 */
const quietMillis = 1000

/**
 * The log of a server's routers with a history. The transaction that emits writes the emission.
 * After the commit, a tick gives it a position, and then every instance reads it.
 */
export class EventLog implements EventRecorder {
  readonly #connection: LogConnection
  readonly #recorder: Recorder
  readonly #logs: readonly { readonly router: EventRouter; readonly log: RouterLog }[]
  readonly #needs: Needs
  readonly #timer: NodeJS.Timeout
  /** A look belongs to no request, even if one has asked for it. */
  readonly #apart = AsyncLocalStorage.snapshot()
  readonly #wire = { send: () => undefined, close: async () => {} }
  #isCommitted = false
  #isAsked = false
  #isLooking = false
  #lookedAt = -Infinity

  constructor(kept: readonly KeptRouter[], needs: Needs) {
    const { database, log, observer } = needs
    this.#needs = needs
    this.#connection = new LogConnection({
      url: database.directUrl,
      routers: kept.map(({ number }) => number),
      log,
      onNews: (announced) => this.#heard(announced),
    })
    this.#logs = kept.map(({ number, router }) => ({
      router,
      log: new RouterLog(number, historyOf(router), this.#connection),
    }))
    this.#recorder = new Recorder({
      database,
      routers: kept,
      observer,
      log,
      slotOf: (router) => this.#logs.find((each) => each.log.number === router)?.log.slot ?? 0,
      onCommit: () => this.#committed(),
    })
    this.#timer = setInterval(() => this.#committed(), quietMillis)
    this.#timer.unref()
  }

  async open() {
    await this.#connection.open()
    for (const { log } of this.#logs) await log.open()
  }

  /** The log that a router's streams follow; undefined for a router without a history. */
  of(router: EventRouter): RouterLog | undefined {
    return this.#logs.find((each) => each.router === router)?.log
  }

  keeps(event: EmittedEvent) {
    return this.#recorder.keeps(event)
  }

  record(event: EmittedEvent, payload: unknown) {
    return this.#recorder.record(event, payload)
  }

  /** Handlers of every instance get the event from the log, instead of from the cache. */
  wireOf(event: EmittedEvent) {
    return this.#needs.cache.shared && this.keeps(event) ? this.#wire : undefined
  }

  handBackTo(hand: HandBack) {
    if (!this.#needs.cache.shared) return
    const handed = new Set<EmittedEvent>()
    for (const { router, log } of this.#logs) {
      // If an event is in two routers, only the first one hands it back.
      const own = Object.entries(router['~streamed']).filter(([, event]) => !handed.has(event))
      for (const [, event] of own) handed.add(event)
      const events = new Map<string, EmittedEvent>(own)
      log.follow({
        took(taken) {
          for (const { name, json, traceparent } of taken) {
            const event = events.get(name)
            if (event) hand(event, JSON.parse(json), { traceparent })
          }
        },
        lost() {},
      })
    }
  }

  async close() {
    clearInterval(this.#timer)
    this.#connection.close()
  }

  #heard(announced?: { router: number; head: number }) {
    const known = this.#logs.find(({ log }) => log.number === announced?.router)
    if (announced && (!known || announced.head <= known.log.position)) return
    if (!announced) this.#isCommitted = true
    this.#isAsked = true
    this.#look()
  }

  #committed() {
    this.#isCommitted = true
    this.#isAsked = true
    this.#look()
  }

  /** One look at a time, with a pause between them. */
  #look() {
    if (this.#isLooking) return
    this.#isLooking = true
    const wait = this.#lookedAt + betweenLooksMillis - performance.now()
    const look = () => void this.#lookOnce()
    this.#apart(() => (wait > 0 ? setTimeout(look, wait) : setImmediate(look)))
  }

  async #lookOnce() {
    this.#lookedAt = performance.now()
    this.#isAsked = false
    const isCommitted = this.#isCommitted
    this.#isCommitted = false
    try {
      for (const { log } of this.#logs) {
        if (isCommitted) await log.tick()
        await log.catchUp()
      }
    } catch {
      // The connection reports it, and asks for another look when it is back.
    }
    this.#isLooking = false
    if (this.#isAsked && this.#connection.isOpen) this.#look()
  }
}

function historyOf(router: EventRouter) {
  if (!router.history) throw new TypeError('The router has no history.')
  return router.history
}

interface Streamed {
  readonly router: EventRouter
  readonly options: { readonly multiInstance?: boolean }
}

/**
 * Undefined if no router has a history for every instance, or if there is no database to store it
 * in.
 */
export async function openEventLog(
  { events, websockets }: { readonly events?: Streamed; readonly websockets?: Streamed },
  { database, ...needs }: Omit<Needs, 'database'> & { readonly database?: Database },
): Promise<EventLog | undefined> {
  const streamed = [
    { number: 0, streams: events },
    { number: 1, streams: websockets },
  ] as const
  const kept = streamed.flatMap(
    ({ number, streams }: { number: RouterNumber; streams?: Streamed | undefined }) =>
      streams?.router.history && streams.options.multiInstance !== false
        ? [{ number, router: streams.router }]
        : [],
  )
  if (!database || kept.length === 0) return undefined
  await database.requireSessions('Live events with a history')
  const log = new EventLog(kept, { database, ...needs })
  try {
    await log.open()
  } catch (error) {
    await log.close()
    throw error
  }
  return log
}
