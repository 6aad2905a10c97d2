import type { Client, Pool } from 'pg'
import type { Log } from '../observation/observation.ts'
import { type DatabaseAddress, newClient } from './client.ts'
import { MigrationError } from './errors.ts'
import { type MigrationFile, type MigrationSource, readMigrations } from './migration-source.ts'
import { openToServer } from './process-role.ts'

/** A migration, and whether the database has applied it. */
export interface MigrationStatus {
  source: string
  name: string
  /**
   * `changed`: the file was edited after it was applied. `missing`: it was applied, but the file is
   * gone.
   */
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

/**
 * Instances that start together queue here, so that each migration runs once. A transaction holds
 * the lock, not a session: a pooler would give the session to others.
 */
const lockKey = 3_901_642_278_511_043

/**
 * Applies the pending files, each in a transaction of its own. If the server connects as another
 * role, it then grants this role what it needs.
 */
export async function migrate(
  { url, directUrl = url }: DatabaseAddress,
  sources: MigrationSource[],
  { log }: { log: MigrationLog },
) {
  const files = await readMigrations(sources)
  await withClient(directUrl, async (client) => {
    const status = statusOf(files, await readApplied(client))
    refuseChanged(status)
    warnOfMissing(status, log)
    for (const file of pendingOf(files, status)) {
      if (!(await applyOnce(client, file))) continue
      log.info({ source: file.source, migration: file.name }, 'migration applied')
    }
    const roles = sources.flatMap((source) => source.roles ?? [])
    await openToServer(client, { url, directUrl }, roles)
  })
}

/** Compares the migration files with what the database has applied. It applies nothing. */
export async function migrationStatus(
  { pool }: { pool: Pool },
  sources: MigrationSource[],
): Promise<MigrationStatus[]> {
  return statusOf(await readMigrations(sources), await readApplied(pool))
}

/**
 * If the role is called svc, a table without a schema would go into the schema of that name first.
 */
const homeOfTables = `select set_config('search_path', 'public', true) where current_user = 'svc'`

/** A connection of its own: a migration may take longer than a request's statement may. */
async function withClient(url: string, run: (client: Client) => Promise<void>) {
  const client = newClient({ connectionString: url, application_name: 'svc migrate' })
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

/** It is not refused: during a rollback, the older release runs on the newer one's database. */
function warnOfMissing(status: MigrationStatus[], log: MigrationLog) {
  for (const { source, name } of status.filter(({ state }) => state === 'missing')) {
    log.warn({ source, migration: name }, 'the database has a migration that this release lacks')
  }
}

const begin = `
  begin isolation level read committed read write;
  select pg_advisory_xact_lock(${lockKey});
  create schema if not exists svc;
  create table if not exists svc.migrations (
    source text not null,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp(),
    primary key (source, name)
  )`

/** False if another instance has applied it meanwhile. */
async function applyOnce(client: Client, file: MigrationFile) {
  try {
    await client.query(begin)
    const [status] = statusOf([file], await readApplied(client))
    const isPending = status?.state === 'pending'
    if (status) refuseChanged([status])
    if (isPending) await apply(client, file)
    await client.query('commit')
    return isPending
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error instanceof MigrationError ? error : MigrationError.at(file, error)
  }
}

async function apply(client: Client, file: MigrationFile) {
  await client.query(homeOfTables)
  await client.query(file.sql)
  await client.query('insert into svc.migrations (source, name, checksum) values ($1, $2, $3)', [
    file.source,
    file.name,
    file.checksum,
  ])
  // A file may change its search_path, and with a pooler for other connections too.
  await client.query('reset all')
}

function keyOf({ source, name }: { source: string; name: string }) {
  return `${source}/${name}`
}

function namesOf({ source, name }: { source: string; name: string }) {
  return { source, name }
}
