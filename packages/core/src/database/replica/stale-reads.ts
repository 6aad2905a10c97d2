import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Log, Observer } from '../../observation/observation.ts'
import { databaseFailure, isCollision } from '../failures.ts'
import { inOneWrite } from '../in-one-write.ts'
import { loadCreateDb } from '../load-create-db.ts'
import { configFor, createPool } from '../pool.ts'
import { checkReplicaUrl } from '../postgres-url.ts'
import { refuseWrite } from '../refuse-write.ts'
import { settingStatement } from '../settings.ts'
import type { Connections, Db } from '../transaction.ts'
import { type ReplicaState, watchReplica } from './watch-replica.ts'

/** The database for routes that accept stale data. */
export interface StaleReads {
  /**
   * Refuses to write. It reads from the replica, or from the primary while the replica is down or
   * too far behind.
   */
  readonly db: Db
  /** The state of the replica; null without one. */
  replica(): ReplicaState | null
  close(): Promise<void>
}

interface Given {
  /** The primary. */
  database: { readonly pool: Connections; readonly url: string }
  /** Unset if there is no replica. */
  url: string | undefined
  /** How far the replica may be behind. */
  mostMillis: number
  maxConnections: number
  log: Pick<Log, 'info' | 'warn' | 'error'>
  observer: Observer | undefined
  schema: Record<string, unknown> | undefined
  /** How long the handler of a request may take. */
  handlerMillis?: number
}

// The primary can be asked instead, and this wait comes before that.
const connectMillis = 1000

export async function connectStaleReads(given: Given): Promise<StaleReads> {
  const { database, url, mostMillis, log, maxConnections, observer, schema, handlerMillis } = given
  const primary = database.pool
  const { createDb } = await loadCreateDb()
  const options = { isReadOnly: true, observer, schema, handlerMillis }
  if (!url) {
    const db = createDb(readOnly(primary), log, options)
    return { db, replica: () => null, close: async () => {} }
  }
  const config = { ...configFor(checkReplicaUrl(url)), connectionTimeoutMillis: connectMillis }
  const both = { primary: configFor(database.url), replica: config }
  const watch = await watchReplica({ ...both, mostMillis, log })
  const pool = createPool({ ...config, max: maxConnections }, log)
  const preferred = { pool, isUsable: () => watch.state() === 'up', lose: watch.lose }
  return {
    db: createDb(withFallback(readOnly(primary), preferred), log, options),
    replica: watch.state,
    async close() {
      await Promise.all([watch.close(), pool.end()])
    },
  }
}

type ReadOnly = Required<Connections>

interface Preferred {
  readonly pool: Connections
  readonly isUsable: () => boolean
  readonly lose: () => void
}

/** If the replica fails for a reason of its own, the primary is asked: nothing was written. */
function withFallback(primary: ReadOnly, { pool, isUsable, lose }: Preferred): ReadOnly {
  const replica = readOnly(pool)
  const either = async <Result>(run: (on: ReadOnly) => Promise<Result>) => {
    if (!isUsable()) return run(primary)
    try {
      return await run(replica)
    } catch (error) {
      if (!isOfTheReplica(error)) throw error
      // Replay has ended the statement. That is normal for a replica, so don't stop using it.
      if (!isCollision(error)) lose()
      return run(primary)
    }
  }
  return {
    connect: (() => either((on) => on.connect())) as Connections['connect'],
    query: ((...statement: Parameters<PoolClient['query']>) =>
      either(
        (on) => on.query(...statement) as unknown as Promise<unknown>,
      )) as Connections['query'],
    queryWith: (...given) => either((on) => on.queryWith(...given)),
  }
}

/** A slow statement would be slow at the primary too, and keep it from its work. */
function isOfTheReplica(error: unknown) {
  const isSlow = error instanceof Error && /Query read timeout/.test(error.message)
  return !isSlow && databaseFailure(error)?.status === 503
}

/**
 * Each statement runs in a read-only transaction of its own, also on the primary, and if the
 * address leads to another server.
 */
function readOnly(pool: Connections): ReadOnly {
  const run = async (statements: readonly QueryConfig[]) => {
    const client = await pool.connect()
    let isBroken = true
    try {
      const all = [{ text: 'begin read only' }, ...statements, { text: 'commit' }]
      const results = await inOneWrite(client, all)
      isBroken = false
      return results.at(-2) as QueryResult
    } catch (error) {
      isBroken = databaseFailure(error)?.status === 503 && !isCollision(error)
      return refuseWrite(error)
    } finally {
      client.release(isBroken)
    }
  }
  const query = (statement: QueryConfig, values?: unknown[]) => run([withValues(statement, values)])
  return {
    connect: (() => pool.connect()) as Connections['connect'],
    // Drizzle uses only this form of the call.
    query: query as Connections['query'],
    queryWith: (settings, statement, values) =>
      run([settingStatement(settings), withValues(statement, values)]),
  }
}

function withValues(statement: QueryConfig, values: unknown[] | undefined): QueryConfig {
  return { ...statement, ...(values && { values }) }
}
