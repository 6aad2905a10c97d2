import { afterCommit, atCommit, currentTransaction, homeOf } from '../database/database.ts'
import type { Database } from '../database/server.ts'
import type { EventRouter } from '../events/contract.ts'
import type { EmittedEvent } from '../events/events.ts'
import type { Log, Observer } from '../observation/observation.ts'
import { append, type GivenRow, type RouterNumber } from './statements.ts'

/** A router whose emissions are stored. */
export interface KeptRouter {
  readonly number: RouterNumber
  readonly router: EventRouter
}

/** The column for a kind of emission. */
interface Column {
  readonly number: RouterNumber
  /** The router's key of the event. */
  readonly name: string
}

interface Emission {
  readonly columns: readonly Column[]
  readonly trace: string | null
  /** Null for a payload that can't be stored. */
  readonly json: string | null | Promise<string | null>
}

interface Given {
  readonly database: Pick<Database, 'db' | 'pool'>
  readonly routers: readonly KeptRouter[]
  readonly observer: Observer | undefined
  readonly log: Pick<Log, 'error'>
  /** The slot for a router's rows. */
  readonly slotOf: (router: RouterNumber) => number
  /** Called after a commit. */
  readonly onCommit: () => void
}

/** Writes emissions of routers with a history, in the transactions that they belong to. */
export class Recorder {
  readonly #given: Given
  readonly #columns = new Map<EmittedEvent, readonly Column[]>()
  #gathered: { emission: Emission; done: () => void; refuse: (cause: unknown) => void }[] = []
  #isWriting = false

  constructor(given: Given) {
    this.#given = given
    for (const { number, router } of given.routers) {
      for (const [name, event] of Object.entries(router['~streamed'])) {
        this.#columns.set(event, [...(this.#columns.get(event) ?? []), { number, name }])
      }
    }
  }

  keeps(event: EmittedEvent) {
    return this.#columns.has(event)
  }

  /**
   * Resolves when the emission is in the log, or will be when the open transaction commits. If it
   * can't be written, it fails, and so does its transaction: otherwise clients that reconnect would
   * miss it.
   */
  async record(event: EmittedEvent, payload: unknown) {
    const emission = this.#emissionOf(event, payload)
    const tx = currentTransaction()
    if (!tx) return await this.#writeSoon(emission)
    if (homeOf(tx) !== this.#given.database.db)
      return await afterCommit(() => this.#writeSoon(emission))
    if (atCommit(this.#written, emission)) await afterCommit(this.#given.onCommit)
  }

  #emissionOf(event: EmittedEvent, payload: unknown): Emission {
    const json =
      payload instanceof Promise
        ? payload.then(
            (given) => this.#jsonOf(event, given),
            () => null,
          )
        : this.#jsonOf(event, payload)
    const trace = this.#given.observer?.traceparent() ?? null
    return { columns: this.#columns.get(event) ?? [], trace, json }
  }

  #jsonOf(event: EmittedEvent, payload: unknown): string | null {
    try {
      const json = JSON.stringify(payload === undefined ? null : payload) as string | undefined
      if (json !== undefined) return json
      throw new TypeError(`JSON has nothing for a ${typeof payload}.`)
    } catch (error) {
      const facts = { err: error, event: event.name }
      this.#given.log.error(facts, 'a payload is not JSON: no stream gets the event')
      return null
    }
  }

  /**
   * The same writer for all transactions, so that one statement writes all emissions of a
   * transaction.
   */
  readonly #written = async (emissions: readonly Emission[]) => {
    const rows = await this.#rowsOf(emissions)
    return rows.length > 0 ? append(rows) : undefined
  }

  async #rowsOf(emissions: readonly Emission[]) {
    const rows: GivenRow[] = []
    for (const { columns, json, trace } of emissions) {
      const payload = json instanceof Promise ? await json : json
      if (payload === null) continue
      for (const { number, name } of columns) {
        rows.push({ slot: this.#given.slotOf(number), name, payload, trace })
      }
    }
    return rows
  }

  /** Emissions of one moment are written together, in their order. */
  #writeSoon(emission: Emission) {
    return new Promise<void>((done, refuse) => {
      this.#gathered.push({ emission, done, refuse })
      if (this.#isWriting) return
      this.#isWriting = true
      setImmediate(() => void this.#writeAll())
    })
  }

  async #writeAll() {
    const { pool } = this.#given.database
    while (this.#gathered.length > 0) {
      const taken = this.#gathered.splice(0, 1000)
      try {
        const statement = await this.#written(taken.map(({ emission }) => emission))
        if (statement) await pool.query(statement)
        this.#given.onCommit()
        for (const { done } of taken) done()
      } catch (error) {
        for (const { refuse } of taken) refuse(error)
      }
    }
    this.#isWriting = false
  }
}
