import { type FileHandle, open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createLogger, type ServerDefinition, systemClock } from '@svc/core'
import { openApplication } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { withDatabase } from '../migrate/migrate.ts'
import { countOutcomes } from './count-outcomes.ts'
import { containerOf, exportFile } from './export-file.ts'
import { printSummary } from './print-summary.ts'
import { openReport } from './report.ts'

/** Imports the people of an export. The exit code is 1 if a row was refused. */
export async function importUsers(given: string, flags: Flags): Promise<number> {
  // Before the application is opened, which changes to its own folder.
  const file = await exportFile(given)
  const container = containerOf(given)
  const firebase = await hashConfig(flags)
  const report = flags.report === undefined ? undefined : resolve(flags.report)
  const { definition } = await openApplication(flags)
  const run = importerOf(definition)
  const isDry = flags['dry-run'] === true
  const text = (await opened(file, given)).createReadStream({ encoding: 'utf8' })
  const counts = await withDatabase(definition, createLogger({ level: 'warn' }), async (database) =>
    countOutcomes(
      run({
        database,
        clock: systemClock,
        text,
        container,
        from: systemOf(flags),
        dryRun: isDry,
        options: { firebase, 'emails-verified': flags['emails-verified'] },
      }),
      await openReport({ report, exported: file }),
    ),
  )
  printSummary(counts, { isDry, report: flags.report })
  return counts.refused.size > 0 ? 1 : 0
}

/**
 * Opened now: a stream that opens it later would fail before there is a listener, and end the
 * process.
 */
async function opened(file: string, given: string): Promise<FileHandle> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${given} cannot be read: ${error.code}.`, { cause: error })
  })
}

/** `csv` and `jsonl` mean our own format. */
function systemOf({ from = 'own' }: Flags) {
  return from === 'csv' || from === 'jsonl' ? 'own' : from
}

async function hashConfig({ 'firebase-hash-config': file }: Flags) {
  if (file === undefined) return undefined
  return readFile(await exportFile(file), 'utf8')
}

function importerOf({ settings }: ServerDefinition) {
  const run = settings.lifecycles.find(({ importUsers: has }) => has)?.importUsers
  if (run) return run
  throw new CommandFailure(
    'This application has no accounts. Add .lifecycle(createAuthLifecycle()) from @svc/auth/server to its server definition.',
  )
}
