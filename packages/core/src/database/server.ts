import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'
import type { Log, Observer } from '../observation/observation.ts'
import { createDb } from './create-db.ts'
import { hasEmbedded, startEmbedded } from './embedded/start-embedded.ts'
import { DatabaseConnectionError, explainConnectionFailure } from './errors.ts'
import { createProbe } from './probe.ts'
import type { Db } from './transaction.ts'
import { valueParsers } from './value-parsers.ts'

export { type MigrationStatus, migrate, migrationStatus } from './migrate.ts'
export { valueParsers } from './value-parsers.ts'

export interface Database {
  db: Db
  pool: Pool
  /** A `postgres://` address also where the database is embedded. It carries the password. */
  url: string
  close(): Promise<void>
  /** Whether the database answers, said within a second. */
  isUp(): Promise<boolean>
  /** The database's time; null if it does not answer within a second. */
  now(): Promise<Date | null>
}

interface Server {
  url: string
  stop(): Promise<void>
}

type PoolLog = Pick<Log, 'warn' | 'error'>

interface ConnectOptions {
  log: PoolLog
  onProgress?: (step: string) => void
  maxConnections?: number
  observer?: Observer
  /** The tables that `db.query` knows. */
  schema?: Record<string, unknown>
}

/** A request is answered within 5 s also while the database is stalled, so each wait ends a second before that. */
const waitMillis = 4000

/** Opens `postgres://…`, or `embedded:<directory>`, a private PostgreSQL on this machine. */
export async function connectDatabase(
  url: string,
  { log, onProgress, maxConnections = 10, observer, schema }: ConnectOptions,
): Promise<Database> {
  const server = await openServer(url, onProgress)
  try {
    return await openPool(server, { log, maxConnections, observer, schema })
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The server that a `DATABASE_URL` names, running, with its `postgres://` address. */
export async function openServer(
  url: string,
  onProgress?: ConnectOptions['onProgress'],
): Promise<Server> {
  if (url.startsWith('embedded:')) return startEmbedded(...readEmbeddedUrl(url, onProgress))
  return { url: checkPostgresUrl(url), stop: async () => {} }
}

/** Keeps the embedded database up that others start and stop. Null where there is none yet, or it is another kind. */
export async function holdEmbedded(url: string): Promise<Server | null> {
  if (!url.startsWith('embedded:')) return null
  const [directory, options] = readEmbeddedUrl(url, undefined)
  return (await hasEmbedded(directory)) ? startEmbedded(directory, options) : null
}

async function openPool(
  server: Server,
  {
    log,
    maxConnections,
    observer,
    schema,
  }: {
    log: PoolLog
    maxConnections: number
    observer: Observer | undefined
    schema: Record<string, unknown> | undefined
  },
): Promise<Database> {
  const config = configFor(server.url)
  const pool = createPool({ ...config, max: maxConnections }, log)
  await checkConnection(pool, new Client(config))
  const probe = createProbe(config)
  return {
    db: createDb(pool, log, { schema, observer }),
    pool,
    url: server.url,
    isUp: async () => (await probe.now()) !== null,
    now: () => probe.now(),
    async close() {
      await Promise.all([probe.close(), pool.end()])
      await server.stop()
    },
  }
}

function configFor(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: waitMillis,
    // `?query_timeout=60000` in the URL allows slower statements.
    query_timeout: waitMillis,
    types: valueParsers,
  }
}

function createPool(config: PoolConfig, log: PoolLog) {
  const pool = new Pool(config)
  // Its stack is that of the driver, and says nothing of who asked.
  pool.on('error', ({ message }) =>
    log.warn({ reason: message }, 'an idle database connection was lost'),
  )
  // A connection that dies between two statements of a transaction must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function checkConnection(pool: Pool, target: Client) {
  try {
    await pool.query('select')
  } catch (error) {
    await pool.end()
    throw explainConnectionFailure(error, target)
  }
}

function checkPostgresUrl(url: string) {
  const { protocol = '', pathname = '' } = URL.parse(url) ?? {}
  if (/^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && isReadable(url)) return url
  // The parser's own error would repeat the URL, and the password in it.
  throw new DatabaseConnectionError(
    'DATABASE_URL is not understood: write postgres://user:password@host:5432/database (special characters percent-encoded) or embedded:<directory>.',
  )
}

/** `pg` reads the URL when a client is made, not when it connects. */
function isReadable(connectionString: string) {
  try {
    return Boolean(new Client({ connectionString }))
  } catch {
    return false
  }
}

function readEmbeddedUrl(url: string, onProgress: ConnectOptions['onProgress']) {
  const [directory = '', query = ''] = url.slice('embedded:'.length).split('?')
  const options = Object.fromEntries(new URLSearchParams(query))
  const { fsync = 'on', ...unknown } = options
  if (!directory || !/^(on|off)$/.test(fsync) || Object.keys(unknown).length > 0) {
    throw new DatabaseConnectionError(
      `${url} is not understood: write embedded:./.svc/data, or embedded:./data?fsync=off for data that may be lost.`,
    )
  }
  return [directory, { fsync: fsync === 'on', ...(onProgress && { onProgress }) }] as const
}
