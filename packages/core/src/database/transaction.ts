import { AsyncLocalStorage } from 'node:async_hooks'
import type { ExtractTablesWithRelations, RelationalSchemaConfig } from 'drizzle-orm'
import type { NodePgQueryResultHKT, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgDialect, PgTransactionConfig } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { AppDatabase } from '../app-database.ts'
import type { Log, Observer } from '../observation/observation.ts'

// Drizzle itself is loaded with the first database only (create-db.ts): a server without one starts
// in half the time.

/**
 * The tables that `db.query` knows: those that the application has declared. In our own packages,
 * none.
 */
export type AppTables = AppDatabase extends { schema: infer Schema extends Record<string, unknown> }
  ? Schema
  : Record<string, never>
export type AppRelations = ExtractTablesWithRelations<AppTables>

export interface TransactionOptions extends PgTransactionConfig {
  /**
   * Runs the function again, in a new transaction, if PostgreSQL has ended this one because of a
   * collision. Use it only if that undoes all that the function does: writing by its `tx`, emitting
   * and enqueueing.
   */
  retry?: boolean
}

/** What a query needs. You can pass a `Tx` for it. */
export interface Db extends PgDatabase<NodePgQueryResultHKT, AppTables, AppRelations> {
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
}

/** An open transaction. A function that takes one cannot be called with a plain `Db`. */
export type Tx = NodePgTransaction<AppTables, AppRelations>

/** Statements in SQL on a transaction's own connection, for libraries that bring their own. */
export type TxClient = Pick<PoolClient, 'query'>

export type FailureLog = Pick<Log, 'error'>

type Tables = RelationalSchemaConfig<AppRelations> | undefined

/**
 * Settings of PostgreSQL that end with the statement or transaction that they were made for:
 * `{ 'shop.branch': id }`.
 */
export type Settings = Readonly<Record<string, string>>

/** A pool, as far as statements and transactions go. */
export interface Connections extends Pick<Pool, 'connect' | 'query'> {
  /** For pools that run a statement in a transaction of their own. */
  queryWith?(settings: Settings, statement: QueryConfig, values?: unknown[]): Promise<QueryResult>
}

/** What every `Db` on the same pool shares, and what it has of its own. */
export interface Home {
  readonly pool: Connections
  readonly log: FailureLog
  /** The one without settings. */
  readonly db: Db
  readonly dialect: PgDialect
  readonly tables: Tables
  readonly observer?: Observer | undefined
  readonly retryMillis: number
  /** Its transactions are read-only. Its pool makes its statements read-only. */
  readonly isReadOnly: boolean
  /** Of each of its statements and transactions. */
  readonly settings?: Settings
  /** Runs statements outside of transactions. */
  readonly statements: Pick<Connections, 'query'>
  /** Another `Db` on this pool. */
  with(settings: Settings): Db
}

export interface Frame {
  readonly parent: Frame | null
  readonly depth: number
  readonly home: Home
  readonly client: TxClient
  readonly tx: Tx
  readonly hooks: Array<() => unknown>
  /** The rows to write as its last statements. */
  rows: Map<CommitWriter<never>, unknown[]> | undefined
  open: boolean
  /** Code that runs in it may open no other transaction of its `Db`. */
  isAlone?: true
}

/**
 * The statement that writes all rows that a transaction has collected for it; undefined if there is
 * nothing to write.
 */
export type CommitWriter<Row> = (rows: readonly Row[]) => Promise<QueryConfig | undefined>

export const frames = new AsyncLocalStorage<Frame | null>()
export const frameOf = new WeakMap<Db, Frame>()

/** The transaction this code runs in, or null. */
export function currentTransaction(): Tx | null {
  return currentFrame()?.tx ?? null
}

/**
 * Runs a function once the outermost open transaction has committed, or at once if none is open. It
 * does not run if that transaction is rolled back, or the savepoint in which it was registered.
 */
export async function afterCommit(run: () => unknown): Promise<void> {
  const frame = currentFrame()
  if (frame) frame.hooks.push(run)
  else await run()
}

/**
 * Writes a row right before the open transaction commits, together with the writer's other rows.
 * The row is dropped if the savepoint in which it was given is rolled back. False if no transaction
 * is open.
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

/** Runs a function as if no transaction were open, so that a rollback can't undo what it starts. */
export function outsideTransaction<Result>(run: () => Result): Result {
  return frames.run(null, run)
}

/**
 * From here on, code in this transaction can't open another one of the same `Db`. The other one
 * would stay if this one is rolled back. And with as many of these as there are connections, all
 * would wait for each other.
 */
export function refuseBeside(tx: Tx) {
  const frame = frameOf.get(tx)
  if (frame) frame.isAlone = true
}

/** @internal */
export function requireNoneBeside(home: Home) {
  for (let frame = currentFrame(); frame; frame = frame.parent) {
    if (!frame.isAlone || frame.home.db !== home.db) continue
    throw new Error(
      'The handler of an idempotent route runs in one transaction, and this would open a second one: use c.db, or enqueue a job that does it.',
    )
  }
}

/** The connection of an open transaction; null for a plain `Db`. */
export function clientOf(db: Db): TxClient | null {
  return frameOf.get(db)?.client ?? null
}

/** The `Db` of the pool, without settings, that this one or its transaction was made from. */
export function homeOf(db: Db): Db {
  return fullHomeOf(db)?.db ?? db
}

/** @internal What runs the statements of a `Db` that has settings, or of a transaction. */
export function runnerOf(db: Db): TxClient | Pick<Connections, 'query'> | null {
  const home = plainHomeOf(db)
  return home?.settings ? home.statements : clientOf(db)
}

/** The settings of a `Db` or of an open transaction; undefined if it has none. */
export function settingsOf(db: Db): Settings | undefined {
  return fullHomeOf(db)?.settings
}

/**
 * The same database, with these settings for each statement and each transaction. They travel in
 * the same message as the statement, and end with it: no other user of the connection gets them. A
 * `Db` with other settings is refused, and so is an open transaction without them: half of its work
 * would be done without.
 */
export function withSettings(db: Db, settings: Settings | undefined): Db {
  if (!settings || isSame(settingsOf(db), settings)) return db
  const home = plainHomeOf(db)
  if (home && !home.settings) return home.with(settings)
  throw new Error(
    frameOf.has(db)
      ? 'This transaction was opened without these settings: open one on withSettings(db, …).'
      : 'This database has other settings already: use withSettings on the one without.',
  )
}

function fullHomeOf(db: Db) {
  return plainHomeOf(db) ?? frameOf.get(db)?.home
}

/** Undefined for a transaction. A request makes a `Db`, and a `WeakMap` would cost it five times as much. */
function plainHomeOf(db: Db & { readonly '~home'?: Home }) {
  return db['~home']
}

function isSame(one: Settings | undefined, other: Settings) {
  const names = Object.keys(other)
  if (!one || Object.keys(one).length !== names.length) return false
  return names.every((name) => one[name] === other[name])
}

/**
 * Work that outlives its transaction, or its savepoint, belongs to the nearest one that is still
 * open.
 */
function currentFrame() {
  let frame = frames.getStore() ?? null
  while (frame && !frame.open) frame = frame.parent
  return frame
}
