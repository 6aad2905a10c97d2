import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'
import { droppedKey } from './dropped-key.ts'
import { forcedRowSecurity } from './forced-row-security.ts'
import { filledByHand, newRequiredColumns, UnfilledColumnError } from './required-columns.ts'
import type { Tables } from './tables.ts'

export interface Migration {
  file: string
  sql: string
  /** The tables after it, for the next migration. */
  snapshot: { file: string; contents: string }
}

/**
 * Only a person knows whether a name was removed and another one added, or whether it was renamed.
 */
export class PossibleRenamingError extends CommandFailure {
  override readonly name = 'PossibleRenamingError'
}

interface Wanted {
  name?: string | undefined
  /** For each new required column, the SQL has a place for a value, instead of being refused. */
  isFilledByHand?: boolean | undefined
}

/** Without a snapshot beside them, it is unknown from which tables the next migration starts. */
export async function areByHand({ directory }: Tables) {
  return (await lastNumber(directory)) > 0 && !(await lastSnapshot(join(directory, 'meta')))
}

/**
 * The migration from the last snapshot to these tables; null if nothing has changed. It writes
 * nothing.
 */
export async function nextMigration(
  { schema, directory }: Tables,
  { name = 'change', isFilledByHand = false }: Wanted = {},
): Promise<Migration | null> {
  const kit = loadDrizzleKit()
  const meta = join(directory, 'meta')
  const before = (await lastSnapshot(meta)) ?? kit.generateDrizzleJson({})
  const after = kit.generateDrizzleJson(schema, before.id)
  const required = newRequiredColumns(before, after)
  if (required.length > 0 && !isFilledByHand) throw new UnfilledColumnError(required)
  const generated = await withoutPrompt(() => kit.generateMigration(before, after))
  if (generated.length === 0) return null
  const statements = generated
    .map(droppedKey)
    .flatMap((each) => filledByHand(each, required))
    .flatMap((each) => forcedRowSecurity(each, after))

  const number = String((await lastNumber(directory)) + 1).padStart(4, '0')
  return {
    file: join(directory, `${number}_${name}.sql`),
    sql: `${statements.join('\n--> statement-breakpoint\n')}\n`,
    snapshot: {
      file: join(meta, `${number}_snapshot.json`),
      contents: `${JSON.stringify(after, null, 2)}\n`,
    },
  }
}

type DrizzleKit = typeof import('drizzle-kit/api')

/** Loaded when it is needed: it is CommonJS and takes half a second. */
function loadDrizzleKit() {
  return createRequire(import.meta.url)('drizzle-kit/api') as DrizzleKit
}

type Snapshot = Parameters<DrizzleKit['generateMigration']>[0]

async function lastSnapshot(meta: string) {
  const snapshots = (await namesIn(meta)).filter((name) => name.endsWith('_snapshot.json'))
  const last = snapshots.toSorted().at(-1)
  return last ? (JSON.parse(await readFile(join(meta, last), 'utf8')) as Snapshot) : null
}

async function lastNumber(directory: string) {
  const numbers = (await namesIn(directory))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => Number.parseInt(name, 10))
    .filter(Number.isInteger)
  return Math.max(0, ...numbers)
}

/** Before the first migration there is no folder. */
async function namesIn(folder: string) {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** If something was removed and something added, drizzle-kit asks whether it was renamed. */
async function withoutPrompt<T>(generate: () => Promise<T>) {
  try {
    return await generate()
  } catch (cause) {
    if (!(cause instanceof Error && /require a TTY/.test(cause.message))) throw cause
    throw new PossibleRenamingError(
      'Something was removed and something was added, which may be a rename. Run this command in a terminal, where it can ask you, or generate a migration for each change on its own.',
      { cause },
    )
  }
}
