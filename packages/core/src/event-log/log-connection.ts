import type { Client, QueryConfig, QueryResultRow } from 'pg'
import { newClient, valueParsers } from '../database/server.ts'
import { ServiceUnavailableError } from '../errors/contract.ts'
import type { Log } from '../observation/observation.ts'
import { announcements, open, type RouterNumber } from './statements.ts'

interface Given {
  readonly url: string
  readonly routers: readonly RouterNumber[]
  readonly log: Pick<Log, 'info' | 'warn'>
  /** There was an announcement, or the connection is back and there may have been one. */
  readonly onNews: (announced?: { router: number; head: number }) => void
}

/** A connection that has sent nothing for this long is closed: a cut cable closes no socket. */
const silenceMillis = 4000

/**
 * One connection that listens to announcements and runs the statements of the log, one after the
 * other. It is not from the application's pool, whose connections may all be in use. After an
 * outage it reconnects by itself.
 */
export class LogConnection {
  readonly #given: Given
  #client: Client | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(given: Given) {
    this.#given = given
  }

  get isOpen() {
    return this.#client !== undefined
  }

  async open() {
    const client = newClient({
      connectionString: this.#given.url,
      application_name: 'svc events',
      keepAlive: true,
      connectionTimeoutMillis: silenceMillis,
      query_timeout: silenceMillis,
      types: valueParsers,
    })
    const lost = (cause: unknown) => this.#lose(client, cause)
    client.on('error', lost)
    client.on('end', () => lost(new Error('The connection has ended.')))
    client.on('notification', ({ payload }) => this.#given.onNews(announcement(payload)))
    try {
      await client.connect()
      await this.#prepare(client)
    } catch (error) {
      hangUp(client)
      throw error
    }
    if (this.#isClosed) hangUp(client)
    else this.#client = client
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    const client = this.#client
    if (!client) throw new ServiceUnavailableError()
    try {
      return (await client.query<Row>(statement)).rows
    } catch (error) {
      // Its answer may still come, and would be taken for that of the next statement.
      this.#lose(client, error)
      throw new ServiceUnavailableError({ cause: error })
    }
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#retry)
    if (this.#client) hangUp(this.#client)
    this.#client = undefined
  }

  async #prepare(client: Client) {
    // Planning costs as much as the rest. The plan always uses an index, even if it was made when a
    // slot was empty: it is not made again while the slot fills.
    await client.query(
      'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off',
    )
    // A tick needs to see new commits at each step, but a database may set another isolation level
    // for all.
    await client.query(
      'set session characteristics as transaction isolation level read committed, read write',
    )
    for (const router of this.#given.routers) await client.query(open(router))
    await client.query(`listen ${announcements}`)
  }

  #lose(client: Client, cause: unknown) {
    if (this.#client !== client) return
    this.#client = undefined
    hangUp(client)
    this.#given.log.warn({ err: cause }, 'the connection to the log of events is lost')
    this.#reopen(0)
  }

  #reopen(attempt: number) {
    if (this.#isClosed) return
    // Random, so that instances do not reconnect all at once.
    const millis = Math.min(50 * 2 ** attempt, 1000) * (0.5 + Math.random() / 2)
    this.#retry = setTimeout(() => {
      this.open().then(
        () => {
          this.#given.log.info('the connection to the log of events is back')
          this.#given.onNews()
        },
        () => this.#reopen(attempt + 1),
      )
    }, millis)
    this.#retry.unref()
  }
}

function announcement(payload = '') {
  const [router, head] = payload.split(':').map(Number)
  return router === undefined || head === undefined ? undefined : { router, head }
}

function hangUp(client: Client) {
  client.end().catch(() => {})
}
