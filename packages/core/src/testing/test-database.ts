import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { MigrationSource } from '../database/migration-source.ts'
import { openToProcesses, openToServer, processUrl } from '../database/process-role.ts'
import { connectDatabase, type Database, openServer } from '../database/server.ts'
import { createLogger } from '../observation/logger.ts'
import { databaseUrl } from './database-url.ts'
import { cloneTemplate } from './template-database.ts'

export interface TestDatabase extends Database {
  /**
   * The address for a server if a table has row level security, which doesn't bind the role of
   * `url`.
   */
  processUrl?: string
  /** Closes it, and leaves nothing behind. */
  drop(): Promise<void>
}

/** A fresh database with these migrations applied, for one test file: a copy of a template that is made once. */
export async function createTestDatabase({
  sources = [],
  serverUrl = testServerUrl(),
}: {
  sources?: MigrationSource[]
  serverUrl?: string
} = {}): Promise<TestDatabase> {
  const server = await openServer(serverUrl)
  const ownerUrl = server.ownerUrl ?? server.url
  const claim = await connectTo(ownerUrl)
  const name = `svc_test_${randomBytes(8).toString('hex')}`
  await claim.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
  await dropAbandoned(claim)
  await cloneTemplate({ url: ownerUrl, claim, name, sources })

  const url = databaseUrl(ownerUrl, name)
  const database = await connectDatabase(url, { log: createLogger({ level: 'error' }) })
  const roles = sources.flatMap((source) => source.roles ?? [])
  return {
    ...database,
    ...((await hasRowSecurity(database)) && { processUrl: await openToProcess(url, roles) }),
    async drop() {
      await database.close()
      await claim.query(`drop database if exists ${name} with (force)`)
      await claim.end()
      await server.stop()
    },
  }
}

/**
 * Keeps the embedded test server running until the returned function is called, for a test runner's global set-up:
 * without it, the server stops and starts between test files that run one after another.
 */
export async function keepTestServer(serverUrl = testServerUrl()) {
  const server = await openServer(serverUrl)
  return () => server.stop()
}

/** `DATABASE_URL_TEST`, or a server that all test processes of this checkout and user share. */
function testServerUrl() {
  const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)
  const directory = join(tmpdir(), `svc-testing-${process.getuid?.() ?? ''}-${checkout}`)
  return process.env.DATABASE_URL_TEST ?? `embedded:${directory}?fsync=off`
}

async function hasRowSecurity({ pool }: Database) {
  const { rowCount } = await pool.query('select from pg_class where relrowsecurity limit 1')
  return rowCount === 1
}

async function openToProcess(ownerUrl: string, roles: readonly string[]) {
  const owner = await connectTo(ownerUrl)
  try {
    await openToProcesses(owner, ownerUrl)
    const url = processUrl(ownerUrl)
    await openToServer(owner, { url, directUrl: ownerUrl }, roles)
    return url
  } finally {
    await owner.end()
  }
}

async function connectTo(url: string) {
  const client = new Client({ connectionString: url, application_name: 'svc test' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A database lives as long as the connection that has locked its name; those of killed runs have none. */
async function dropAbandoned(claim: Client) {
  const { rows } = await claim.query<{ name: string }>(`
    with named as materialized (select datname from pg_database where datname like 'svc\\_test\\_%')
    select datname as name from named where pg_try_advisory_lock(hashtextextended(datname, 0))`)
  for (const { name } of rows) {
    await claim.query(`drop database if exists ${name} with (force)`)
    await claim.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
  }
}
