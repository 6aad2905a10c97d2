import { createLogger, migrationSources } from '@svc/core'
import { type MigrationStatus, migrationStatus } from '@svc/core/database'
import type { Application } from '../application/application.ts'
import { aligned, paint } from '../terminal.ts'
import { withDatabase } from './with-database.ts'

type State = MigrationStatus['state']

const styles = { applied: 'green', pending: 'yellow', changed: 'red', missing: 'yellow' } as const

const meanings: Record<Exclude<State, 'applied'>, string> = {
  pending: 'not applied yet: "svc migrate" applies it',
  changed: 'edited after it was applied: restore the file, and put the change into a new migration',
  missing:
    'applied, but its file is not here: a newer release of the application may have added it',
}

/** Prints every migration with its state. The exit code is 1 when a server would refuse to start, or has work to do. */
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
