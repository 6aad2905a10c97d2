import {
  createLogger,
  type Log,
  migrationSources,
  readServerEnv,
  type ServerDefinition,
} from '@svc/core'
import {
  appliesMigrations,
  connectDatabase,
  type Database,
  databaseUrl,
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireUpToDate,
} from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { readDatabaseEnv } from '../database-env.ts'
import { envFile, givenEnvironment, inheritedEnvironment, isSet, readEnvFile } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import { aligned, paint } from '../terminal.ts'

/** Applies pending migrations, and reports each file when it is done. */
export async function migratePending({ definition }: Application) {
  let applied = 0
  const log = createLogger({
    destination: {
      write(line) {
        const { level, source, migration, msg } = JSON.parse(line)
        if (!migration) return
        if (level !== 'info') return console.error(`${source}/${migration}: ${msg}`)
        applied += 1
        console.log(`${paint('green', 'applied')} ${source}/${migration}`)
      },
    },
  })
  await withDatabase(definition, log, (database) =>
    migrate(database, migrationSources(definition), { log }),
  )
  if (applied === 0) console.log('nothing pending')
  return 0
}

type State = MigrationStatus['state']

const styles = { applied: 'green', pending: 'yellow', changed: 'red', missing: 'yellow' } as const

const meanings: Record<Exclude<State, 'applied'>, string> = {
  pending: 'not applied yet: run "npx @svc/cli migrate"',
  changed:
    'edited after it was applied: restore the file, and write a new migration for the change',
  missing:
    'applied, but its file is not here: a newer release of the application may have added it',
}

/**
 * Prints every migration with its state. The exit code is 1 if a server would refuse to start, or
 * has migrations to apply.
 */
export async function printStatus({ definition }: Application) {
  const rows = await withDatabase(definition, createLogger({ level: 'silent' }), (database) =>
    migrationStatus(database, migrationSources(definition)),
  )
  if (rows.length === 0) {
    console.log('There are no migrations.')
    return 0
  }
  console.log(table(rows))
  const states = new Set(rows.map(({ state }) => state))
  console.log(`\n${summary(states)}`)
  return states.has('pending') || states.has('changed') ? 1 : 0
}

function table(rows: MigrationStatus[]) {
  const cells = rows.map(({ source, name, state, appliedAt }) => [
    source,
    name,
    state,
    appliedAt ? moment(appliedAt) : '',
  ])
  const [header = [], ...lines] = aligned([['Source', 'Name', 'State', 'When'], ...cells])
  const painted = lines.map(([source = '', name = '', state = '', when = '']) => [
    source,
    name,
    paint(styles[state.trim() as State], state),
    when,
  ])
  return [header.map((cell) => paint('bold', cell)), ...painted]
    .map((row) => row.join('   ').trimEnd())
    .join('\n')
}

/** `2026-11-03 14:02 UTC` */
function moment(date: Date) {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function summary(states: Set<State>) {
  const explained = Object.entries(meanings).filter(([state]) => states.has(state as State))
  if (explained.length === 0) return 'Everything is applied.'
  return explained.map(([state, meaning]) => `${state}: ${meaning}`).join('\n')
}

/** Refuses if the server would, which would find out only after a build. */
export async function requireMigrated({ definition }: Application) {
  const env = readServerEnv(givenEnvironment())
  const url = databaseUrl(definition, env)
  if (!url || appliesMigrations(env)) return
  const log = createLogger({ level: 'silent' })
  const { DATABASE_URL_DIRECT: directUrl } = env
  const database = await connectDatabase(url, { log, ...(directUrl && { directUrl }) })
  try {
    await requireUpToDate(database, migrationSources(definition))
  } finally {
    await database.close()
  }
}

/** An older state may lack tables of this release. */
export async function refusePending(database: Database, definition: ServerDefinition) {
  const migrations = await migrationStatus(database, migrationSources(definition))
  if (migrations.every(({ state }) => state !== 'pending')) return
  throw new CommandFailure(
    'This database has pending migrations: run "npx @svc/cli migrate" first.',
  )
}

/** Runs on the database that the application would start on, and closes it. */
export async function withDatabase<Result>(
  definition: ServerDefinition,
  log: Log,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const onProgress = (step: string) => console.error(step)
  const url = namedDatabase(definition)
  const { DATABASE_URL_DIRECT: directUrl } = readDatabaseEnv(givenEnvironment())
  const database = await connectDatabase(url, { log, onProgress, ...(directUrl && { directUrl }) })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

/** The address of the database. It is printed if it was not given with the command. */
export function namedDatabase(definition: ServerDefinition) {
  const url = urlFor(definition)
  tellUnlessGiven(url)
  return url
}

/**
 * Says which database it is, so that you don't take the one of development, or of a forgotten file,
 * for the one that you meant.
 */
function tellUnlessGiven(url: string) {
  if (isSet('DATABASE_URL', inheritedEnvironment())) return
  console.error(
    isSet('DATABASE_URL', readEnvFile())
      ? `on the DATABASE_URL of ${envFile}`
      : `on ${url}, because DATABASE_URL is not set`,
  )
}

function urlFor(definition: ServerDefinition) {
  const url = databaseUrl(definition, readDatabaseEnv(givenEnvironment()))
  if (url) return url
  throw new CommandFailure('This application has no database: it declares no tables and no jobs.')
}
