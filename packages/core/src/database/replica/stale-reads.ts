import type { PoolClient, QueryConfig } from 'pg'
import type { Log, Observer } from '../../observation/observation.ts'
import { databaseFailure, isCollision } from '../failures.ts'
import { inOneWrite } from '../in-one-write.ts'
import { loadCreateDb } from '../load-create-db.ts'
import { configFor, createPool } from '../pool.ts'
import { checkReplicaUrl } from '../postgres-url.ts'
import { refuseWrite } from '../refuse-write.ts'
import type { Connections, Db } from '../transaction.ts'
import { type ReplicaState, watchReplica } from './watch-replica.ts'

/** What routes read that may be stale. */
export interface StaleReads {
  /** Refuses to write. It reads from the replica, and from the primary while that is down or too far behind. */
  readonly db: Db
  /** How the replica is; null without one. */
  replica(): ReplicaState | null
  close(): Promise<void>
}

interface Given {
  /** The primary. */
  database: { readonly pool: Connections; readonly url: string }
  /** Unset without a replica. */
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

// The primary can be asked instead, and the wait for it comes on top.
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

interface Preferred {
  readonly pool: Connections
  readonly isUsable: () => boolean
  readonly lose: () => void
}

/** Where the replica fails for a reason of its own, the primary is asked: nothing was written. */
function withFallback(primary: Connections, { pool, isUsable, lose }: Preferred): Connections {
  const replica = readOnly(pool)
  const either = async <Result>(run: (on: Connections) => Promise<Result>) => {
    if (!isUsable()) return run(primary)
    try {
      return await run(replica)
    } catch (error) {
      if (!isOfTheReplica(error)) throw error
      // Replay has ended the statement: that is how a replica works, and no reason to leave it.
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
  }
}

/** A statement that takes too long would do so at the primary too, and keep that one from its work. */
function isOfTheReplica(error: unknown) {
  const isSlow = error instanceof Error && /Query read timeout/.test(error.message)
  return !isSlow && databaseFailure(error)?.status === 503
}

/** Each statement in a read-only transaction of its own, also on the primary, and where the address leads to another. */
function readOnly(pool: Connections): Connections {
  const query = async (statement: QueryConfig, values?: unknown[]) => {
    const client = await pool.connect()
    let isBroken = true
    try {
      const [, result] = await inOneWrite(client, [
        { text: 'begin read only' },
        { ...statement, ...(values && { values }) },
        { text: 'commit' },
      ])
      isBroken = false
      return result
    } catch (error) {
      isBroken = databaseFailure(error)?.status === 503 && !isCollision(error)
      return refuseWrite(error)
    } finally {
      client.release(isBroken)
    }
  }
  return {
    connect: (() => pool.connect()) as Connections['connect'],
    // Of all the ways to call it, Drizzle knows this one.
    query: query as Connections['query'],
  }
}
