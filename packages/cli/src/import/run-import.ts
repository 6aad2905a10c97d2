import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  createLogger,
  type ImportedLine,
  type ServerDefinition,
  systemClock,
  type UserImport,
} from '@svc/core'
import { openApplication } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { withDatabase } from '../migrate/migrate.ts'
import { countOutcomes } from './count-outcomes.ts'
import { containerOf, exportFile } from './export-file.ts'
import { printSummary } from './print-summary.ts'
import { openReport } from './report.ts'

type Importer = (given: UserImport) => AsyncIterable<ImportedLine>

interface Kind extends Pick<UserImport, 'from' | 'options'> {
  /** Throws a `CommandFailure` if the application can't import this. */
  importerOf: (definition: ServerDefinition) => Importer
  /** The words of the report, explained for a person. */
  meanings: Readonly<Record<string, string>>
}

/** Imports a file, row by row. The exit code is 1 if a row was refused. */
export async function runImport(given: string, flags: Flags, kind: Kind): Promise<number> {
  const { importerOf, meanings, from, options } = kind
  // Before the application is opened, which changes to its own folder.
  const file = await exportFile(given)
  const container = containerOf(given)
  const report = flags.report === undefined ? undefined : resolve(flags.report)
  const { definition } = await openApplication(flags)
  const run = importerOf(definition)
  const isDry = flags['dry-run'] === true
  const text = (await opened(file, given)).createReadStream({ encoding: 'utf8' })
  const counts = await withDatabase(definition, createLogger({ level: 'warn' }), async (database) =>
    countOutcomes(
      run({ database, clock: systemClock, text, container, from, dryRun: isDry, options }),
      await openReport({ report, exported: file }),
    ),
  )
  printSummary(counts, { isDry, report: flags.report, meanings })
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
