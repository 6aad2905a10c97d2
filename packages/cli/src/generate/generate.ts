import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { paint } from '../terminal.ts'
import {
  areByHand,
  type Migration,
  nextMigration,
  PossibleRenamingError,
} from './next-migration.ts'
import { valuesToWrite } from './required-columns.ts'
import { type RouteMapChange, routeMapChange } from './route-map-change.ts'
import { type Tables, tablesOf } from './tables.ts'

/**
 * Writes the files that follow from the server definition. With `check`, it only says what it would
 * write.
 */
export async function generate(application: Application, flags: Flags) {
  if (flags.routes) return follow(application)
  const lines = flags.check ? await outOfDate(application) : await write(application, flags)
  if (lines.length === 0) {
    console.log('nothing changed')
    return 0
  }
  for (const line of lines) console.log(line)
  if (!flags.check) return 0
  console.log('Run "npx @svc/cli generate", and commit what it writes.')
  return 1
}

/** All changes are computed first: if one is refused, nothing is written. */
async function write(application: Application, { name, 'fill-by-hand': isFilledByHand }: Flags) {
  const routeMap = await routeMapChange(application)
  const migrations: Migration[] = []
  // One after the other, because drizzle-kit may ask questions in the terminal.
  for (const tables of await generated(application)) {
    const migration = await nextMigration(tables, { name, isFilledByHand })
    if (migration) migrations.push(migration)
  }
  await Promise.all(migrations.map(writeMigration))
  if (routeMap) await writeRouteMap(routeMap)
  const wrote = (file: string) => `${paint('green', 'wrote')} ${file}`
  return [
    ...(routeMap ? [wrote(`${shown(routeMap.file)} (${routeMap.what})`)] : []),
    ...migrations.flatMap(({ file, sql }) => [wrote(shown(file)), ...valuesToWrite(sql)]),
  ]
}

/** For "svc dev", at each change. It prints nothing if nothing has changed. */
async function follow(application: Application) {
  const routeMap = await routeMapChange(application)
  if (routeMap) {
    await writeRouteMap(routeMap)
    console.log(`routes changed: wrote ${shown(routeMap.file)} (${routeMap.what})`)
  }
  const changed = await changedTables(application)
  if (changed.length > 0) {
    console.log('tables changed: "npx @svc/cli generate --name what-changed" writes the migration')
  }
  return 0
}

async function writeMigration({ file, sql, snapshot }: Migration) {
  await mkdir(dirname(snapshot.file), { recursive: true })
  await writeFile(file, sql, { flag: 'wx' })
  await writeFile(snapshot.file, snapshot.contents)
}

async function writeRouteMap({ file, contents }: RouteMapChange) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, contents)
}

async function outOfDate(application: Application) {
  const routeMap = await routeMapChange(application)
  const changed = await changedTables(application)
  return [
    ...(routeMap ? [`${shown(routeMap.file)} differs from the router`] : []),
    ...changed.map(
      ({ directory }) => `${shown(directory)} has no migration for the changed tables`,
    ),
  ].map((line) => `${paint('red', 'out of date')}: ${line}`)
}

/** The tables whose migrations are not written by hand. */
async function generated(application: Application) {
  const all = tablesOf(application)
  const byHand = await Promise.all(all.map(areByHand))
  return all.filter((_tables, at) => !byHand[at])
}

async function changedTables(application: Application) {
  const all = await generated(application)
  const changed = await Promise.all(all.map(haveChanged))
  return all.filter((_tables, at) => changed[at])
}

async function haveChanged(tables: Tables) {
  // A check asks no questions: without a terminal, drizzle-kit refuses instead.
  process.stdin.isTTY = false
  try {
    return (await nextMigration(tables, { isFilledByHand: true })) !== null
  } catch (error) {
    if (error instanceof PossibleRenamingError) return true
    throw error
  }
}

function shown(file: string) {
  return relative(process.cwd(), file)
}
