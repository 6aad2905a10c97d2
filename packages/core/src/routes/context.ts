import type { Clock } from '../clock/clock.ts'
import { type Db, type Tx, withSettings } from '../database/database.ts'
import type { DeclaredEnv } from '../env/env.ts'
import type { Log } from '../observation/observation.ts'
import {
  Answer,
  type AnswerHeaders,
  type Page,
  pagination,
  type Success,
  type SuccessWithMeta,
} from '../request/client.ts'
import type { RawContext } from '../request/request.ts'
import type { InputSchemas, OutputOf } from '../schema/schema.ts'

/** What `c.data()` returns: the declared parts, validated. `headers` only if they are declared. */
export type InputData<Input extends InputSchemas> = {
  [Part in keyof Input]: OutputOf<Input[Part]>
} & { [Part in Exclude<'params' | 'query', keyof Input>]: Record<never, never> }

/** The type of `c.db`. */
interface Reading {
  isStale?: boolean | undefined
  tx?: Tx
}

/** What a handler gets. */
export class HandlerContext<Input extends InputSchemas = InputSchemas> {
  /** The HTTP framework's own context. Reading the request through it bypasses validation. */
  readonly raw: RawContext
  readonly #data: InputData<Input>
  readonly #isStale: boolean
  readonly #tx: Tx | undefined
  #db: Db | undefined = undefined

  constructor(raw: RawContext, data: InputData<Input>, { isStale = false, tx }: Reading = {}) {
    this.raw = raw
    this.#data = data
    this.#isStale = isStale
    this.#tx = tx
  }

  /** The validated input. */
  async data(): Promise<InputData<Input>> {
    return this.#data
  }

  /**
   * The database. In a `.stale()` route, it is the replica's, and read-only. In an `.idempotent()`
   * route, it is the transaction that stores the answer. It has the settings that a middleware has
   * put into `c.raw.databaseSettings`.
   */
  get db(): Db {
    if (this.#tx) return this.#tx
    this.#db ??= withSettings(this.#plainDb(), this.raw.databaseSettings)
    return this.#db
  }

  #plainDb(): Db {
    const { database, staleReads } = this.raw.server
    if (!database) throw new Error('This server has no database. Set DATABASE_URL.')
    // Authentication and everything else before the handler reads the primary: a key that was
    // revoked there is revoked.
    return this.#isStale && staleReads ? staleReads.db : database.db
  }

  /** `c.env(shopEnv)`: the application's variables, by the reader that the server's `.env()` was given. */
  get env(): DeclaredEnv {
    return this.raw.server.env
  }

  get clock(): Clock {
    return this.raw.server.clock
  }

  get log(): Log {
    return this.raw.server.log.child({ requestId: this.raw.requestId })
  }

  json<Body>(data: Body, status = 200, headers?: AnswerHeaders): Answer<Body> {
    return new Answer(status, data, headers)
  }

  created<Body>(data: Body, location?: string): Answer<Body> {
    return new Answer(201, data, location === undefined ? undefined : { location })
  }

  noContent(): Answer<undefined> {
    return new Answer(204, undefined)
  }

  accepted<Body>(data: Body): Answer<Body> {
    return new Answer(202, data)
  }

  notModified(): Answer<undefined> {
    return new Answer(304, undefined)
  }

  success<Data>(data: Data): Answer<Success<Data>>
  /** Without `meta`, the answer has none. */
  success<Data, Meta extends object | undefined>(
    data: Data,
    meta: Meta,
  ): Answer<Meta extends object ? SuccessWithMeta<Data, Meta> : Success<Data>>
  success(data: unknown, meta?: object) {
    return new Answer(200, meta ? { success: true, data, meta } : { success: true, data })
  }

  paginated<Item>(items: Item[], page: number, limit: number, total: number): Answer<Page<Item>> {
    const meta = { pagination: pagination(page, limit, total) }
    return new Answer(200, { success: true, data: items, meta })
  }
}
