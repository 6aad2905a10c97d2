import { createTableRelationsHelpers, extractTablesRelationalConfig } from 'drizzle-orm'
import { NodePgDatabase, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Observer } from '../observation/observation.ts'
import { databaseFailure, isCollision } from './failures.ts'
import { inOneWrite } from './in-one-write.ts'
import { refuseWrite } from './refuse-write.ts'
import { latestMillis, retried, retryingStatements } from './retry.ts'
import { settingStatement, statementsWith } from './settings.ts'
import {
  type AppRelations,
  type AppTables,
  addRows,
  type CommitWriter,
  type Connections,
  type Db,
  type FailureLog,
  type Frame,
  frameOf,
  frames,
  type Home,
  requireNoneBeside,
  type Settings,
  type TransactionOptions,
  type Tx,
  type TxClient,
} from './transaction.ts'

interface DbOptions {
  /** The tables and relations that `db.query` knows. */
  schema?: Record<string, unknown> | undefined
  observer?: Observer | undefined
  /** Its transactions are read-only. Its pool makes its statements read-only. */
  isReadOnly?: boolean
  /** How long the handler of a request may take. After that, a collision is not retried. */
  handlerMillis?: number | undefined
}

// oxlint-disable-next-line typescript/no-unnecessary-type-arguments -- an application may have named its tables
class SvcDatabase extends NodePgDatabase<AppTables> {
  /** @internal */
  readonly '~home': Home

  constructor(given: Omit<Home, 'db' | 'with'> & { db?: Db }) {
    const { statements, dialect, tables } = given
    // Drizzle calls nothing but `query` on the client of a session.
    const client = statements as PoolClient
    super(dialect, new NodePgSession<AppTables, AppRelations>(client, dialect, tables), tables)
    this['~home'] = { db: this, ...given, with: (settings) => this.#with(settings) }
  }

  override transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T> {
    if (!this['~home'].isReadOnly) return runTransaction(this['~home'], run, options)
    const reading = { ...options, accessMode: 'read only' } as const
    return runTransaction(this['~home'], run, reading).catch(refuseWrite)
  }

  #with(settings: Settings): Db {
    const { pool, retryMillis } = this['~home']
    const statements = retryingStatements(statementsWith(pool, settings), retryMillis)
    return new SvcDatabase({ ...this['~home'], settings, statements })
  }
}

class SvcTransaction extends NodePgTransaction<AppTables, AppRelations> {
  override transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return runSavepoint(frameOf.get(this) as Frame, run)
  }
}

/** Drizzle on a pool, with transactions that know the work after their commit. */
export function createDb(
  pool: Connections,
  log: FailureLog,
  { schema, observer, isReadOnly = false, handlerMillis = latestMillis }: DbOptions = {},
): Db {
  const retryMillis = Math.min(latestMillis, handlerMillis)
  return new SvcDatabase({
    pool,
    log,
    observer,
    isReadOnly,
    retryMillis,
    tables: schema && relationalTables(schema),
    // Of its own: Drizzle keeps the columns of a table by its name, and another application in this
    // process may have a table of that name.
    dialect: new PgDialect(),
    statements: retryingStatements(pool, retryMillis),
  })
}

/** What Drizzle's relational queries need, made as `drizzle({ schema })` makes it. */
function relationalTables(schema: Record<string, unknown>) {
  const { tables, tableNamesMap } = extractTablesRelationalConfig<AppRelations>(
    schema,
    createTableRelationsHelpers,
  )
  return { fullSchema: schema, schema: tables, tableNamesMap }
}

async function runTransaction<T>(
  home: Home,
  run: (tx: Tx) => Promise<T>,
  options?: TransactionOptions,
) {
  requireNoneBeside(home)
  const { observer, retryMillis } = home
  const once = () => commitOrRollBack(home, run, options)
  const attempt = observer ? () => observer.around({ kind: 'transaction' }, once) : once
  const { frame, result } = await (options?.retry ? retried(attempt, retryMillis) : attempt())
  if (frame.hooks.length > 0) await frames.run(null, () => runHooks(frame))
  return result
}

async function commitOrRollBack<T>(
  home: Home,
  run: (tx: Tx) => Promise<T>,
  options?: TransactionOptions,
) {
  const client = await home.pool.connect()
  const frame = openFrame({ home, client, parent: null })
  let broken = false
  let result: T
  try {
    await begin(client, home, options)
    result = await frames.run(frame, async () => run(frame.tx))
    frame.open = false
    await commit(client, frame)
  } catch (error) {
    frame.open = false
    broken = !(await rollback(client, error))
    throw error
  } finally {
    client.release(broken)
  }
  return { frame, result }
}

async function runSavepoint<T>(parent: Frame, run: (tx: Tx) => Promise<T>) {
  const frame = openFrame({ home: parent.home, client: parent.client, parent })
  const name = `sp${frame.depth}`
  await parent.client.query(`savepoint ${name}`)
  try {
    const result = await frames.run(frame, async () => run(frame.tx))
    await parent.client.query(`release savepoint ${name}`)
    parent.hooks.push(...frame.hooks)
    for (const [writer, rows] of frame.rows ?? []) addRows(parent, writer, rows)
    return result
  } catch (error) {
    // A lost connection can't roll back. The first failure says why.
    await parent.client
      .query(`rollback to savepoint ${name}; release savepoint ${name}`)
      .catch(() => {})
    throw error
  } finally {
    frame.open = false
  }
}

function openFrame({ home, client, parent }: Pick<Frame, 'home' | 'client' | 'parent'>): Frame {
  const depth = parent ? parent.depth + 1 : 0
  const own: TxClient = parent ? client : onlyWhile(() => frame.open, client)
  const session = new NodePgSession<AppTables, AppRelations>(
    own as PoolClient,
    home.dialect,
    home.tables,
  )
  const tx = new SvcTransaction(home.dialect, session, home.tables, depth)
  const frame: Frame = {
    parent,
    depth,
    home,
    client: own,
    tx,
    hooks: [],
    rows: undefined,
    open: true,
  }
  frameOf.set(tx, frame)
  return frame
}

/**
 * Otherwise a transaction that is used after its end would write into the next one on the same
 * connection.
 */
function onlyWhile(isOpen: () => boolean, client: TxClient): TxClient {
  const query = (...statement: Parameters<PoolClient['query']>) =>
    isOpen()
      ? client.query(...statement)
      : Promise.reject(new Error('This transaction has ended: its statements can no longer run.'))
  return { query: query as PoolClient['query'] }
}

function begin(client: PoolClient, { settings }: Home, options?: TransactionOptions) {
  const text = beginStatement(options)
  // If it can't begin, the settings end with their own statement.
  return settings ? inOneWrite(client, [{ text }, settingStatement(settings)]) : client.query(text)
}

function beginStatement({ isolationLevel, accessMode, deferrable }: TransactionOptions = {}) {
  const level = isolationLevel && `isolation level ${isolationLevel}`
  const deferred = deferrable && 'deferrable'
  return ['begin', level, accessMode, deferred].filter(Boolean).join(' ')
}

async function commit(client: PoolClient, { rows }: Frame) {
  const last = rows ? await lastStatements(rows) : []
  const { command } = await commitBehind(client, last)
  // PostgreSQL answers COMMIT on a failed transaction with ROLLBACK, and calls it a success.
  if (command === 'ROLLBACK') {
    throw new Error(
      'Nothing was committed: a statement failed, and its error was caught. Let the error through, or run the statement in a nested transaction.',
    )
  }
}

/** If one fails, the commit that follows it rolls back. */
async function commitBehind(client: PoolClient, last: readonly QueryConfig[]) {
  if (last.length === 0) return client.query('commit')
  const results = await inOneWrite(client, [...last, { text: 'commit' }])
  return results.at(-1) as QueryResult
}

async function lastStatements(rows: NonNullable<Frame['rows']>) {
  const statements: QueryConfig[] = []
  for (const [writer, own] of rows) {
    // Each writer gets the rows that were given for it.
    const statement = await (writer as CommitWriter<unknown>)(own)
    if (statement) statements.push(statement)
  }
  return statements
}

/**
 * False if the connection can't be used again. Closing it rolls back too, without waiting for an
 * answer.
 */
async function rollback(client: PoolClient, error: unknown) {
  const connectionIsSuspect = databaseFailure(error)?.status === 503 && !isCollision(error)
  if (connectionIsSuspect) return false
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

async function runHooks({ hooks, home }: Frame) {
  for (const run of hooks) {
    try {
      await run()
    } catch (error) {
      home.log.error({ err: error }, 'work after a commit failed')
    }
  }
}
