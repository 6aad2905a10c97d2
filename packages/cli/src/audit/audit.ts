import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AuditTrail, createLogger, type ServerDefinition, systemClock } from '@svc/core'
import { openApplication } from '../application/application.ts'
import { givenEnvironment } from '../env.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { refusePending, withDatabase } from '../migrate/migrate.ts'
import { reportText } from './report-text.ts'
import { uncheckable } from './uncheckable.ts'

const log = () => createLogger({ level: 'warn' })

/**
 * Checks the audit trail. The exit code is 1 if something is not as the server wrote it, and 2 if
 * it could not be checked.
 */
export function verifyTrail(flags: Flags): Promise<number> {
  return uncheckable(async () => {
    // Before the application is opened, which changes to its own folder.
    const heads = await readHeads(flags.heads)
    const keys = await readKeys(flags.key)
    const { definition } = await openApplication(flags)
    const { verify } = trailOf(definition)
    const report = await withDatabase(definition, log(), async (database) => {
      await refusePending(database, definition)
      const source = givenEnvironment()
      const proofs = flags.proofs === true
      return verify({ database, clock: systemClock, source, keys, heads, proofs })
    })
    console.log(flags.json ? JSON.stringify(report, null, 2) : reportText(report))
    return report.found > 0 ? 1 : 0
  })
}

const userId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Writes rows as JSON Lines, and keeps none of them in memory. */
export async function exportTrail(flags: Flags): Promise<number> {
  // The column has nothing else, and another text would be an empty export.
  if (flags.actor !== undefined && !userId.test(flags.actor)) {
    throw new UsageError('--actor takes the id of a user, as "svc users show" prints it.')
  }
  const { definition } = await openApplication(flags)
  const { act, actor, target, 'from-time': from, 'to-time': to } = flags
  await withDatabase(definition, log(), async (database) => {
    await refusePending(database, definition)
    const rows = trailOf(definition).export({ database, act, actor, target, from, to })
    await pipeline(Readable.from(linesOf(rows)), process.stdout, { end: false }).catch(unlessClosed)
  })
  return 0
}

async function* linesOf(rows: AsyncIterable<object>) {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

/** The reader of `svc audit export | head` has read enough. */
function unlessClosed(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}

/** Prints the public key. With it, heads can be checked without the database and the secret. */
export async function printTrailKey(flags: Flags): Promise<number> {
  const { definition } = await openApplication(flags)
  console.log(JSON.stringify(trailOf(definition).publicKey(givenEnvironment())))
  return 0
}

function trailOf({ settings }: ServerDefinition): AuditTrail {
  const trail = settings.lifecycles.find(({ auditTrail: has }) => has)?.auditTrail
  if (trail) return trail
  throw new CommandFailure(
    'This application has no accounts. Add .lifecycle(createAuthLifecycle()) from @svc/auth/server to its server definition.',
  )
}

async function readHeads(given: string | undefined) {
  if (given === undefined) return []
  return (await linesIn(given)).filter((line) => line !== '')
}

/** One JWK per line, as `svc audit key` prints them. */
async function readKeys(given: string | undefined): Promise<object[]> {
  if (given === undefined) return []
  const lines = (await linesIn(given)).filter((line) => line !== '')
  return lines.map((line) => readKey(line, given))
}

function readKey(line: string, given: string): object {
  try {
    const key: unknown = JSON.parse(line)
    if (typeof key === 'object' && key !== null) return key
  } catch {
    // The parser's own message would not help.
  }
  throw new CommandFailure(`${given} has a line that is not a key from "svc audit key".`)
}

async function linesIn(given: string) {
  try {
    return (await readFile(resolve(given), 'utf8')).split('\n').map((line) => line.trim())
  } catch (error) {
    throw new CommandFailure(`${given} cannot be read.`, { cause: error })
  }
}
