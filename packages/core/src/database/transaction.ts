import { AsyncLocalStorage } from 'node:async_hooks'
import type { ExtractTablesWithRelations, RelationalSchemaConfig } from 'drizzle-orm'
import type { NodePgQueryResultHKT, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgTransactionConfig } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { AppDatabase } from '../app-database.ts'
import type { Log, Observer } from '../observation/observation.ts'

// Drizzle itself is loaded with the first database only (create-db.ts): a server without one is up in half the time.

/** The tables that `db.query` knows: those that the application has named, and none in a package of ours. */
export type AppTables = AppDatabase extends { schema: infer Schema extends Record<string, unknown> }
  ? Schema
  : Record<string, never>
export type AppRelations = ExtractTablesWithRelations<AppTables>

export interface TransactionOptions extends PgTransactionConfig {
  /**
   * Runs the function once more, in a new transaction, when PostgreSQL has ended this one because it collided with
   * another. Only for a function whose work is all undone by that: it writes by its `tx`, emits and enqueues.
   */
  retry?: boolean
}

/** What a query needs. A `Tx` may be given for it. */
export interface Db extends PgDatabase<NodePgQueryResultHKT, AppTables, AppRelations> {
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
}

/** An open transaction. A function that takes one cannot be called with a plain `Db`. */
export type Tx = NodePgTransaction<AppTables, AppRelations>

/** Statements in SQL on a transaction's own connection, for libraries that bring their own. */
export type TxClient = Pick<PoolClient, 'query'>

export type FailureLog = Pick<Log, 'error'>

type Tables = RelationalSchemaConfig<AppRelations> | undefined

/** A pool, as far as statements and transactions go. */
export type Connections = Pick<Pool, 'connect' | 'query'>

interface Home {
  pool: Connections
  log: FailureLog
  db: Db
  tables: Tables
  observer?: Observer | undefined
  retryMillis: number
}

export interface Frame {
  readonly parent: Frame | null
  readonly depth: number
  readonly home: Home
  readonly client: TxClient
  readonly tx: Tx
  readonly hooks: Array<() => unknown>
  /** What is to be written as its last statements. */
  rows: Map<CommitWriter<never>, unknown[]> | undefined
  open: boolean
  /** No other transaction of its `Db` is opened beside it by what runs in it. */
  isAlone?: true
}

/** The statement that writes everything that a transaction has collected for it; undefined where that is nothing. */
export type CommitWriter<Row> = (rows: readonly Row[]) => Promise<QueryConfig | undefined>

export const frames = new AsyncLocalStorage<Frame | null>()
export const frameOf = new WeakMap<Db, Frame>()

/** The transaction this code runs in, or null. */
export function currentTransaction(): Tx | null {
  return currentFrame()?.tx ?? null
}

/**
 * Runs a function once the outermost open transaction has committed, and at once where none is open.
 * It does not run when that transaction, or the savepoint it was registered in, is rolled back.
 */
export async function afterCommit(run: () => unknown): Promise<void> {
  const frame = currentFrame()
  if (frame) frame.hooks.push(run)
  else await run()
}

/**
 * Has a row written right before the open transaction commits, together with those that the same writer has got for it.
 * It is not written when the savepoint it was given in is rolled back. False where no transaction is open.
 */
export function atCommit<Row>(writer: CommitWriter<Row>, row: Row): boolean {
  const frame = currentFrame()
  if (!frame) return false
  addRows(frame, writer, [row])
  return true
}

/** @internal */
export function addRows(frame: Frame, writer: CommitWriter<never>, added: readonly unknown[]) {
  frame.rows ??= new Map()
  const rows = frame.rows.get(writer)
  if (rows) rows.push(...added)
  else frame.rows.set(writer, [...added])
}

/** Runs a function as if no transaction were open around it: nothing it starts can be undone by that one. */
export function outsideTransaction<Result>(run: () => Result): Result {
  return frames.run(null, run)
}

/**
 * Refuses, from here on, another transaction of the same `Db` to what runs in this one: it would stand where this one
 * is rolled back, and as many of these at once as there are connections would wait for each other.
 */
export function refuseBeside(tx: Tx) {
  const frame = frameOf.get(tx)
  if (frame) frame.isAlone = true
}

/** @internal */
export function requireNoneBeside(home: Home) {
  for (let frame = currentFrame(); frame; frame = frame.parent) {
    if (!frame.isAlone || frame.home !== home) continue
    throw new Error(
      'The handler of an idempotent route runs in one transaction, and this would open another beside it: use c.db, or enqueue a job that does it.',
    )
  }
}

/** The connection of an open transaction; null for a plain `Db`. */
export function clientOf(db: Db): TxClient | null {
  return frameOf.get(db)?.client ?? null
}

/** The `Db` that a transaction was opened on; a plain `Db` is its own. */
export function homeOf(db: Db): Db {
  return frameOf.get(db)?.home.db ?? db
}

/** Work that outlives its transaction, or its savepoint, belongs to the nearest one that is still open. */
function currentFrame() {
  let frame = frames.getStore() ?? null
  while (frame && !frame.open) frame = frame.parent
  return frame
}
