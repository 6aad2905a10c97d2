import { Client, type Pool } from 'pg'
import type { Log } from '../observation/observation.ts'
import { MigrationError } from './errors.ts'
import { type MigrationFile, type MigrationSource, readMigrations } from './migration-source.ts'

export interface MigrationStatus {
  source: string
  name: string
  /** `changed`: the file was edited after it was applied. `missing`: it was applied, and there is no such file. */
  state: 'applied' | 'pending' | 'changed' | 'missing'
  appliedAt?: Date
}

type MigrationLog = Pick<Log, 'info' | 'warn'>

interface AppliedRow {
  source: string
  name: string
  checksum: string
  applied_at: Date
}

/** Instances that start together queue here, so that each migration runs once. */
const lockKey = 3_901_642_278_511_043

/** Applies what is pending, each file in a transaction of its own. */
export async function migrate(
  { url }: { url: string },
  sources: MigrationSource[],
  { log }: { log: MigrationLog },
) {
  const files = await readMigrations(sources)
  await withClient(url, async (client) => {
    await client.query(`select pg_advisory_lock(${lockKey})`)
    const status = statusOf(files, await readApplied(client))
    refuseChanged(status)
    warnOfMissing(status, log)
    for (const file of pendingOf(files, status)) {
      await apply(client, file)
      log.info({ source: file.source, migration: file.name }, 'migration applied')
    }
  })
}

export async function migrationStatus(
  { pool }: { pool: Pool },
  sources: MigrationSource[],
): Promise<MigrationStatus[]> {
  return statusOf(await readMigrations(sources), await readApplied(pool))
}

/** For a role called svc, the schema of that name would be the first to take a table that names none. */
const homeOfTables = `select set_config('search_path', 'public', true) where current_user = 'svc'`

/** A connection of its own: a migration may take longer than a request's statement may. Closing it frees the lock. */
async function withClient(url: string, run: (client: Client) => Promise<void>) {
  const client = new Client({ connectionString: url, application_name: 'svc migrate' })
  client.on('error', () => {})
  try {
    await client.connect()
    await run(client)
  } finally {
    await client.end()
  }
}

async function readApplied(client: Pick<Client, 'query'>): Promise<AppliedRow[]> {
  const { rows } = await client.query(`select to_regclass('svc.migrations') is not null as exists`)
  if (!rows[0].exists) return []
  const applied = await client.query<AppliedRow>(
    'select source, name, checksum, applied_at from svc.migrations order by applied_at, name',
  )
  return applied.rows
}

function statusOf(files: MigrationFile[], applied: AppliedRow[]): MigrationStatus[] {
  const rows = new Map(applied.map((row) => [keyOf(row), row]))
  const known = new Set(files.map(keyOf))
  const present = files.map((file) => statusOfFile(file, rows.get(keyOf(file))))
  const missing = applied
    .filter((row) => !known.has(keyOf(row)))
    .map((row) => ({ ...namesOf(row), state: 'missing' as const, appliedAt: row.applied_at }))
  return [...present, ...missing]
}

function statusOfFile(file: MigrationFile, row: AppliedRow | undefined): MigrationStatus {
  if (!row) return { ...namesOf(file), state: 'pending' }
  const state = row.checksum === file.checksum ? 'applied' : 'changed'
  return { ...namesOf(file), state, appliedAt: row.applied_at }
}

function pendingOf(files: MigrationFile[], status: MigrationStatus[]) {
  const pending = new Set(status.filter(({ state }) => state === 'pending').map(keyOf))
  return files.filter((file) => pending.has(keyOf(file)))
}

function refuseChanged(status: MigrationStatus[]) {
  const changed = status.find(({ state }) => state === 'changed')
  if (!changed) return
  throw new MigrationError(
    `${changed.source}/${changed.name} was edited after it had been applied: restore the file, and put the change into a new migration.`,
  )
}

/** Not refused: while a release is rolled back, the older one meets the newer one's database. */
function warnOfMissing(status: MigrationStatus[], log: MigrationLog) {
  for (const { source, name } of status.filter(({ state }) => state === 'missing')) {
    log.warn({ source, migration: name }, 'the database has a migration that this release lacks')
  }
}

async function createTable(client: Client) {
  await client.query(`
    create schema if not exists svc;
    create table if not exists svc.migrations (
      source text not null,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp(),
      primary key (source, name)
    )`)
}

async function apply(client: Client, file: MigrationFile) {
  try {
    await createTable(client)
    await client.query('begin')
    await client.query(homeOfTables)
    await client.query(file.sql)
    await client.query('insert into svc.migrations (source, name, checksum) values ($1, $2, $3)', [
      file.source,
      file.name,
      file.checksum,
    ])
    await client.query('commit')
    // A file may leave its search_path behind.
    await client.query('reset all')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw MigrationError.at(file, error)
  }
}

function keyOf({ source, name }: { source: string; name: string }) {
  return `${source}/${name}`
}

function namesOf({ source, name }: { source: string; name: string }) {
  return { source, name }
}
