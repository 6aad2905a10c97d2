import { isDeepStrictEqual } from 'node:util'
import type { Client, Pool } from 'pg'
import type { Observer } from '../observation/observation.ts'
import { newClient } from './client.ts'
import { hasEmbedded, startEmbedded } from './embedded/start-embedded.ts'
import { DatabaseConnectionError, explainConnectionFailure } from './errors.ts'
import { loadCreateDb } from './load-create-db.ts'
import { configFor, createPool, type PoolLog } from './pool.ts'
import { checkPooler, keepsSession, needsSession } from './pooler.ts'
import { checkPostgresUrl } from './postgres-url.ts'
import { createProbe } from './probe.ts'
import type { Db } from './transaction.ts'

export { type DatabaseAddress, newClient, newPool } from './client.ts'
export { hostsOf } from './hosts.ts'
export { type MigrationStatus, migrate, migrationStatus } from './migrate.ts'
export { connectStaleReads, type StaleReads } from './replica/stale-reads.ts'
export { valueParsers } from './value-parsers.ts'

/** A connected PostgreSQL: its pool, its addresses and its health. */
export interface Database {
  db: Db
  pool: Pool
  /** A `postgres://` address, even if the database is embedded. It contains the password. */
  url: string
  /**
   * The address of PostgreSQL itself if `url` is that of a pooler: for migrations, LISTEN and
   * everything that needs a session. Its role may be another one, which owns the tables.
   */
  directUrl: string
  /** Refuses if a pooler shares the connections of `directUrl`, so that `what` can't work. */
  requireSessions(what: string): Promise<void>
  /** Whether connections of `directUrl` keep their session. */
  keepsSessions(): Promise<boolean>
  close(): Promise<void>
  /** The state of the database, within a second. A standby in its place accepts no writes. */
  health(): Promise<'up' | 'down' | 'read_only'>
  /** Whether the database answers and accepts writes, within a second. */
  isUp(): Promise<boolean>
  /** The database's time; null if it does not answer within a second. */
  now(): Promise<Date | null>
}

interface Server {
  url: string
  /** The address of the role that owns the tables, if `url` is that of another one. */
  ownerUrl?: string
  stop(): Promise<void>
}

interface ConnectOptions {
  log: PoolLog
  /** The address of PostgreSQL itself, if `url` is that of a pooler. */
  directUrl?: string
  onProgress?: (step: string) => void
  maxConnections?: number
  observer?: Observer
  /** The tables that `db.query` knows. */
  schema?: Record<string, unknown>
  /** How long the handler of a request may take. */
  handlerMillis?: number
}

/** Opens `postgres://…`, or `embedded:<directory>`, a private PostgreSQL on this machine. */
export async function connectDatabase(
  url: string,
  {
    log,
    onProgress,
    directUrl,
    maxConnections = 10,
    observer,
    schema,
    handlerMillis,
  }: ConnectOptions,
): Promise<Database> {
  const direct = directUrl && checkPostgresUrl(directUrl, 'DATABASE_URL_DIRECT')
  const server = await openServer(url, onProgress)
  try {
    const options = { log, maxConnections, observer, schema, handlerMillis }
    return await openPool(server, { ...options, directUrl: direct })
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The server of a `DATABASE_URL`, running, with its `postgres://` address. */
export async function openServer(
  url: string,
  onProgress?: ConnectOptions['onProgress'],
): Promise<Server> {
  if (url.startsWith('embedded:')) return openEmbedded(...readEmbeddedUrl(url, onProgress))
  return { url: checkPostgresUrl(url), stop: async () => {} }
}

/**
 * Keeps the embedded database running that others start and stop. Null if there is none yet, or if
 * the database is of another kind.
 */
export async function holdEmbedded(url: string): Promise<Server | null> {
  if (!url.startsWith('embedded:')) return null
  const [directory, options] = readEmbeddedUrl(url, undefined)
  return (await hasEmbedded(directory)) ? openEmbedded(directory, options) : null
}

async function openEmbedded(...given: Parameters<typeof startEmbedded>): Promise<Server> {
  const { url: ownerUrl, processUrl, stop } = await startEmbedded(...given)
  return { url: processUrl, ownerUrl, stop }
}

interface PoolOptions {
  log: PoolLog
  directUrl: string | undefined
  maxConnections: number
  observer: Observer | undefined
  schema: Record<string, unknown> | undefined
  handlerMillis: number | undefined
}

async function openPool(
  server: Server,
  { log, directUrl = server.ownerUrl ?? server.url, maxConnections, ...options }: PoolOptions,
): Promise<Database> {
  const { createDb } = await loadCreateDb()
  const config = configFor(server.url)
  const pool = createPool({ ...config, max: maxConnections }, log)
  const isPooled = await checkConnection(pool, newClient(config))
  const isSame = directUrl === server.url || directUrl === server.ownerUrl
  if (!isSame) await checkDirect(pool, directUrl)
  const probe = createProbe(config)
  const health = async () => {
    const seen = await probe.look()
    if (!seen) return 'down'
    return seen.isReadOnly ? 'read_only' : 'up'
  }
  const keepsSessions = once(async () => {
    const isKnown = isSame && !isPooled
    return isKnown || keepsSession(configFor(directUrl))
  })
  return {
    db: createDb(pool, log, options),
    pool,
    url: server.url,
    directUrl,
    keepsSessions,
    async requireSessions(what) {
      if (!(await keepsSessions())) throw needsSession(what)
    },
    health,
    isUp: async () => (await health()) === 'up',
    now: async () => (await probe.look())?.now ?? null,
    async close() {
      await Promise.all([probe.close(), pool.end()])
      await server.stop()
    },
  }
}

function once<Value>(run: () => Promise<Value>) {
  let running: Promise<Value> | undefined
  return () => (running ??= run())
}

/** Whether it leads to a pooler. */
async function checkConnection(pool: Pool, target: Client) {
  try {
    return await checkPooler(pool)
  } catch (error) {
    await pool.end()
    throw error instanceof DatabaseConnectionError ? error : explainConnectionFailure(error, target)
  }
}

const identity =
  'select current_database() as name, extract(epoch from pg_postmaster_start_time())::text as since'

/** If the two addresses led to different databases, data would seem to disappear. */
async function checkDirect(pool: Pool, directUrl: string) {
  const config = configFor(directUrl)
  const client = newClient(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const [direct, pooled] = await Promise.all([client.query(identity), pool.query(identity)])
    if (isDeepStrictEqual(direct.rows, pooled.rows)) return
    throw new DatabaseConnectionError(
      'DATABASE_URL_DIRECT leads to another database than DATABASE_URL: set both to the same database.',
    )
  } catch (error) {
    await pool.end()
    throw error instanceof DatabaseConnectionError
      ? error
      : explainConnectionFailure(error, client, 'DATABASE_URL_DIRECT')
  } finally {
    client.end().catch(() => {})
  }
}

function readEmbeddedUrl(url: string, onProgress: ConnectOptions['onProgress']) {
  const [directory = '', query = ''] = url.slice('embedded:'.length).split('?')
  const options = Object.fromEntries(new URLSearchParams(query))
  const { fsync = 'on', ...unknown } = options
  if (!directory || !/^(on|off)$/.test(fsync) || Object.keys(unknown).length > 0) {
    throw new DatabaseConnectionError(
      `${url} is not a valid address: write embedded:./.svc/data, or embedded:./data?fsync=off for data that may be lost.`,
    )
  }
  return [directory, { fsync: fsync === 'on', ...(onProgress && { onProgress }) }] as const
}
